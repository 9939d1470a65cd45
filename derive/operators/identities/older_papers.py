"""Identities A.1–A.4 of 000-I, in that paper's letters Φ = φS, Ψ = ψS, L = Δ_φG [SOA-52 … SOA-55]; serial chains."""

from derive.operators.identities.entry import Identity


def _in_000(*statements: str) -> tuple[str, ...]:
    """The statements with Φ and Ψ meaning 000's."""
    return tuple(s.replace("Φ", "Phi_000").replace("Ψ", "Psi_000") for s in statements)


ENTRIES = (
    Identity(
        "SOA-52",
        "Identities A.1",
        "000-I (a.6)–(a.13), reconstructed",
        _in_000(
            "S Delta_phi = E_phi",
            "S L = K",
            "S Delta_psi = E_psi",
            "Φ = phi S",
            "Ψ = psi S",
            "psi_tilde = Ψ Delta_psi",
            "phi_tilde = Φ Delta_phi",
            "phi = I + Φ Delta_phi",
            "psi = I + Ψ Delta_psi",
            "L = Delta_phi G",
            "Φ L = phi_tilde G",
            "Φ L = phi K",
            "Ψ L = psi K",
        ),
    ),
    Identity(
        "SOA-53",
        "Identities A.2",
        "000-I (a.14)–(a.18)",
        _in_000(
            "phi = psi (I + S L H phi)",
            "psi = (I - Ψ L H) phi",
            "Φ = Ψ (I + L H Φ)",
            "Ψ = (I - Ψ L H) Φ",
            "phi - psi = Ψ L H phi",
            "phi - psi = psi K H phi",
        ),
    ),
    Identity(
        "SOA-54",
        "Identities A.3",
        "000-I (a.22)–(a.28)",
        _in_000(
            "phi = (I + Φ L H) psi",
            "psi = phi (I - S L H psi)",
            "Φ = (I + Φ L H) Ψ",
            "Ψ = Φ (I - L H Ψ)",
            "Φ L H psi = Ψ L H phi",
            "Φ L H Ψ = Ψ L H Φ",
            "phi - psi = Φ L H psi",
            "phi - psi = phi K H psi",
        ),
    ),
    Identity(
        "SOA-55",
        "Identities A.4",
        "000-I (a.32)–(a.43)",
        _in_000(
            "H phi = (I + H Φ L) H psi",
            "H Φ = (I + H Φ L) H Ψ",
            "H Ψ = H Φ (I - L H Ψ)",
            "H psi = (I - H Ψ L) H phi",
            "H Ψ = (I - H Ψ L) H Φ",
            "H Φ = H Ψ (I + L H Φ)",
            "H Φ L H Ψ = H Ψ L H Φ",
            "Φ L = Ψ L (I + H Φ L)",
            "Ψ L = (I - Ψ L H) Φ L",
            "Ψ L = Φ L (I - H Ψ L)",
            "Φ L = (I + Φ L H) Ψ L",
            "Φ L H Ψ L = Ψ L H Φ L",
        ),
    ),
)
