"""Forms for people: the same element as a flat sum, in sums of angles, collected by constants, or nested."""
