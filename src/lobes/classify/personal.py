"""Personal data that proves itself by its check digits.

Sources: ISO/IEC 7812-1 (card numbers, Luhn), ISO 13616 (IBAN, ISO 7064 mod 97-10), and the
published rules of each national number. A number without a check digit, or with a weak one, counts
only beside its name.
"""

from __future__ import annotations

import re

from lobes.classify.rules import Holds, Rule
from lobes.domain.sensitivity import Detector

_NEAR = r"[^\n0-9]{0,24}?"
"""What may stand between the name of a number and the number."""


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_card(text: str) -> bool:
    """A card number of a known network: prefix, length, Luhn; no row of one digit."""
    digits = re.sub(r"\D", "", text)
    if len(set(digits)) < 2 or not luhn(digits):
        return False
    size, two, four = len(digits), int(digits[:2]), int(digits[:4])
    return (
        (digits[0] == "4" and size == 16)
        or ((51 <= two <= 55 or 2221 <= four <= 2720) and size == 16)
        or (two in (34, 37) and size == 15)
        or ((four == 6011 or two in (64, 65, 62)) and size == 16)
        or ((two in (36, 38, 39) or 3000 <= four <= 3059) and size == 14)
        or (3528 <= four <= 3589 and size == 16)
    )


_IBAN_SIZES = {
    "AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24,
    "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GI": 23, "GR": 27,
    "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20,
    "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "RS": 22,
    "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}  # fmt: skip


def is_iban(text: str) -> bool:
    """Country, length and mod 97 = 1."""
    flat = re.sub(r"[ -]", "", text).upper()
    if _IBAN_SIZES.get(flat[:2]) != len(flat):
        return False
    return int("".join(str(int(one, 36)) for one in flat[4:] + flat[:4])) % 97 == 1


def is_dni(text: str) -> bool:
    """Spain: the letter is the number mod 23; a foreigner's X, Y, Z counts as 0, 1, 2."""
    flat = re.sub(r"[ .-]", "", text).upper()
    number = flat[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == flat[-1]


def is_nir(text: str) -> bool:
    """France: 97 less the number mod 97; Corsica's 2A and 2B count as 19 and 18."""
    flat = re.sub(r"[ .-]", "", text).upper()
    number = flat[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(flat[13:])


_CF_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3,
         6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)  # fmt: skip


def is_codice_fiscale(text: str) -> bool:
    """Italy: odd places by table, even ones by value, the sum mod 26 as a letter."""
    flat = text.upper()
    total = sum(
        _CF_ODD[one] if place % 2 == 0 else (int(one) if one.isdigit() else ord(one) - 65)
        for place, one in enumerate(flat[:15])
    )
    return chr(65 + total % 26) == flat[15]


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(one) * weight for one, weight in zip(digits, weights, strict=False))


def is_cpf(text: str) -> bool:
    """Brazil: two check digits mod 11."""
    digits = re.sub(r"\D", "", text)
    for size in (9, 10):
        rest = _weighted(digits, tuple(range(size + 1, 1, -1))) * 10 % 11 % 10
        if rest != int(digits[size]):
            return False
    return len(set(digits)) > 1


def is_bsn(text: str) -> bool:
    """Netherlands: the eleven test."""
    digits = re.sub(r"\D", "", text)
    return len(digits) == 9 and _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def is_pesel(text: str) -> bool:
    """Poland: weights 1, 3, 7, 9 mod 10."""
    weighed = _weighted(text, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3))
    return (10 - weighed % 10) % 10 == int(text[10])


def is_nhs(text: str) -> bool:
    """The number of a patient in England: mod 11."""
    digits = re.sub(r"\D", "", text)
    rest = 11 - _weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return rest != 10 and rest % 11 == int(digits[9])


def is_ssn(text: str) -> bool:
    """United States: no check digit; areas and groups that are never given out are left out."""
    area, group, serial = re.split(r"[ -]", text)
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


CARD = Detector("payment-card", "confidential", "finance")
IBAN = Detector("iban", "restricted", "finance")
NATIONAL_ID = Detector("national-id", "confidential", "identity")
PATIENT = Detector("patient-number", "confidential", "health")


def _rule(
    detector: Detector,
    digits: int,
    pattern: str,
    holds: Holds,
    *,
    beside: tuple[str, ...] = (),
) -> Rule:
    """`beside`: the names that it counts next to; then the number is the pattern's first group."""
    return Rule(detector, beside, pattern, 1 if beside else 0, holds=holds, digits=digits)


RULES: tuple[Rule, ...] = (
    _rule(
        CARD,
        14,
        r"(?<![\w.,/-])(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3\d{3}[ -]\d{6}[ -]\d{4,5}|\d{14,16})"
        r"(?![\w/-]|[.,]\d)",
        is_card,
    ),
    _rule(
        IBAN,
        10,
        r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?"
        r"(?![A-Za-z0-9])",
        is_iban,
    ),
    _rule(
        NATIONAL_ID,
        15,
        r"(?<![\w.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}"
        r"(?![\w.-]\d|\d)",
        is_nir,
    ),
    _rule(NATIONAL_ID, 11, r"(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])", is_cpf),
    _rule(
        NATIONAL_ID,
        7,
        rf"(?i:\b(?:dni|nie|nif)\b){_NEAR}\b((?:[XYZ][ .-]?\d{{7}}|\d{{2}}\.?\d{{3}}\.?\d{{3}})"
        r"[ .-]?[A-Z])\b",
        is_dni,
        beside=("dni", "nie", "nif"),
    ),
    _rule(
        NATIONAL_ID,
        0,
        rf"(?i:\bfiscale\b|\bc\. ?f\.){_NEAR}"
        r"\b([A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z])\b",
        is_codice_fiscale,
        beside=("fiscale", "c.f.", "c. f."),
    ),
    _rule(
        NATIONAL_ID,
        9,
        rf"(?i:\b(?:bsn|burgerservicenummer)\b){_NEAR}\b(\d{{9}}|\d{{3}}[ .]\d{{3}}[ .]\d{{3}})\b",
        is_bsn,
        beside=("bsn", "burgerservicenummer"),
    ),
    _rule(NATIONAL_ID, 11, rf"(?i:\bpesel\b){_NEAR}\b(\d{{11}})\b", is_pesel, beside=("pesel",)),
    _rule(
        NATIONAL_ID,
        9,
        rf"(?i:\bssn\b|social security){_NEAR}\b(\d{{3}}[ -]\d{{2}}[ -]\d{{4}})\b",
        is_ssn,
        beside=("ssn", "social security"),
    ),
    _rule(
        PATIENT,
        10,
        rf"(?i:\bnhs\b){_NEAR}\b(\d{{3}}[ -]?\d{{3}}[ -]?\d{{4}})\b",
        is_nhs,
        beside=("nhs",),
    ),
)
