"""Sheets of closed forms as files: functions in Python and C, and whole documents."""
