"""Beliefs that change by rule: claims, their logic and the operators that revise them."""
