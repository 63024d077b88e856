"""Texts with what a person would say of them, written before the rules were tuned.

Every secret is made here, from a seed and in parts, so that no scanner of repositories finds one
in this file. All numbers of persons are made from their check digits.
"""

from __future__ import annotations

import base64
import random
import string
from dataclasses import dataclass

_MADE = random.Random(20_26)
UPPER = string.ascii_uppercase + string.digits
MIXED = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"


def made(size: int, of: str = MIXED) -> str:
    """A token with at least one digit and one letter."""
    text = "".join(_MADE.choice(of) for _ in range(size - 2))
    return f"{text}{next(one for one in of if one.isalpha())}7"


@dataclass(frozen=True)
class Sample:
    """`secret` is what must be hidden, "" where the text holds no secret."""

    text: str
    detector: str
    secret: str = ""


AWS = "AK" + "IA" + made(16, UPPER)
GITHUB = "gh" + "p_" + made(36)
GITHUB_FINE = "github" + "_pat_" + made(22) + "_" + made(59)
ANTHROPIC = "sk-" + "ant-api03-" + made(60)
OPENAI = "sk-" + "proj-" + made(48)
OPENAI_OLD = "sk-" + made(20) + "T3Blbk" + "FJ" + made(20)
SLACK = "xo" + "xb-" + "123456789012-" + made(24, LOWER)
HOOK = "https://hooks." + "slack.com/services/T" + made(8) + "/B" + made(8) + "/" + made(24)
GITLAB = "gl" + "pat-" + made(20)
GOOGLE = "AI" + "za" + made(35)
STRIPE = "sk_" + "live_" + made(24)
NPM = "np" + "m_" + made(36)
AGE = "AGE-SECRET-" + "KEY-1" + made(58, UPPER)
SENDGRID = "SG" + "." + made(22) + "." + made(43)
TELEGRAM = "712345678" + ":AA" + made(33)
HUGGING = "hf" + "_" + "".join(_MADE.choice(string.ascii_letters) for _ in range(34))
DOCEAN = "dop" + "_v1_" + made(64, HEX)
PYPI = "py" + "pi-AgEIcHlwaS5vcmc" + made(80)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def lines(text: str, size: int) -> str:
    return "\n".join(text[at : at + size] for at in range(0, len(text), size))


def wide(text: str) -> str:
    """The same letters as wide as those of Chinese."""
    return "".join(chr(ord(one) + 0xFEE0) for one in text)


def _part(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


JWT = ".".join((_part('{"alg":"HS256"}'), _part('{"sub":"me","iat":17}'), made(43)))
_BODY = "\n".join(made(64) for _ in range(6))
KEY = "-----BEGIN " + "RSA PRIVATE KEY-----\n" + _BODY + "\n-----END " + "RSA PRIVATE KEY-----"
PASSWORD = "kV9" + "$mTq2-x" + "Rw"

SECRETS: tuple[Sample, ...] = (
    Sample(f"The deploy user is `{AWS}`, see below.", "aws-access-key", AWS),
    Sample(f"export GITHUB_TOKEN={GITHUB}\n", "github-token", GITHUB),
    Sample(f"| token | {GITHUB} |", "github-token", GITHUB),
    Sample(f"fine: {GITHUB_FINE}", "github-token", GITHUB_FINE),
    Sample(f"ANTHROPIC_API_KEY={ANTHROPIC}", "anthropic-key", ANTHROPIC),
    Sample(f"Key for the tests: {OPENAI}.", "openai-key", OPENAI),
    Sample(f"old {OPENAI_OLD} here", "openai-key", OPENAI_OLD),
    Sample(f"bot {SLACK}", "slack-token", SLACK),
    Sample(f"Post to {HOOK} on failure", "slack-token", HOOK),
    Sample(f"glab auth login --token {GITLAB}", "gitlab-token", GITLAB),
    Sample(f"maps: https://maps/js?key={GOOGLE}&v=3", "google-key", GOOGLE),
    Sample(f"stripe {STRIPE}", "stripe-key", STRIPE),
    Sample(f"//registry/:_authToken={NPM}", "npm-token", NPM),
    Sample(f"# identity\n{AGE}\n", "age-key", AGE),
    Sample(f"mail {SENDGRID}", "sendgrid-key", SENDGRID),
    Sample(f"the bot: {TELEGRAM}", "telegram-token", TELEGRAM),
    Sample(f"huggingface {HUGGING}", "huggingface-token", HUGGING),
    Sample(f"do: {DOCEAN}", "digitalocean-token", DOCEAN),
    Sample(f"twine -p {PYPI}", "pypi-token", PYPI),
    Sample(f"curl -H 'Authorization: Bearer {JWT}' /v1", "json-web-token", JWT),
    Sample(f"curl -H 'Authorization: Bearer {made(40)}'", "bearer-token"),
    Sample(f"## Keys\n\n```\n{KEY}\n```\n", "private-key", _BODY),
    Sample(f"> {KEY.replace(chr(10), chr(10) + '> ')}", "private-key", _BODY.split("\n")[2]),
    Sample(KEY.split("-----END")[0], "private-key", _BODY),
    Sample(f'password = "{PASSWORD}"', "password", PASSWORD),
    Sample(f"DB_PASSWORD={PASSWORD}", "password", PASSWORD),
    Sample(f"- **Password**: `{PASSWORD}`", "password", PASSWORD),
    Sample(f"password: {PASSWORD}", "password", PASSWORD),
    Sample(f'{{"client_secret": "{made(32)}"}}', "password"),
    Sample(f"The password for staging is {PASSWORD}.", "password", PASSWORD),
    Sample(f"passphrase is '{PASSWORD}'", "password", PASSWORD),
    Sample("password = 'correcthorse'", "password", "correcthorse"),
    Sample(f"psql postgres://app:{PASSWORD[:9]}x@db.internal/app", "password-in-url", PASSWORD[:9]),
    Sample(f"https://host/a?access_token={made(32)}", "password"),
    Sample(f"[map](https://host/a?v=1&signing_key={made(32)})", "token-in-url"),
    Sample(f"gh\u200b{GITHUB[2:]}", "github-token", GITHUB[2:]),
    Sample(f"{AWS[:9]}\u200d\u2060{AWS[9:]}", "aws-access-key", AWS[9:]),
    Sample(f"The token {GITHUB[:20]}\n{GITHUB[20:]} is old", "github-token", GITHUB[20:]),
    Sample(f"> {ANTHROPIC[:45]}\n> {ANTHROPIC[45:]}", "anthropic-key", ANTHROPIC[45:]),
    Sample(f"{AWS[:2]}\n{AWS[2:]}", "aws-access-key", AWS[2:]),
    Sample(f"x {base64.b64encode(f'key={GITHUB} end'.encode()).decode()} y", "github-token"),
    Sample(f"> {GITHUB[:14]}\n> {GITHUB[14:]}", "github-token", GITHUB[14:]),
    Sample(f"- at\n          {GITHUB[:14]}\n          {GITHUB[14:]}", "github-token", GITHUB[14:]),
    Sample(f"a {GITHUB[:14]}\t{GITHUB[14:]} b", "github-token", GITHUB[14:]),
    Sample(f"a {GITHUB[:14]}-\n{GITHUB[14:]} b", "github-token", GITHUB[14:]),
    Sample(f"> a {GITHUB[:24]}-\r\n> {GITHUB[24:]} b", "github-token", GITHUB[24:]),
    Sample(GITHUB.replace("_", "\\_"), "github-token", GITHUB[4:]),
    Sample(GITHUB_FINE.replace("_", "\\_"), "github-token", GITHUB_FINE[-59:]),
    Sample(f"https://host/a?t={GITHUB.replace('_', '%5F')}&v=1", "github-token", GITHUB[4:]),
    Sample(GITHUB.replace("_", "&#95;"), "github-token", GITHUB[4:]),
    Sample(f"{GITHUB[:14]}**{GITHUB[14:]}**", "github-token", GITHUB[14:]),
    Sample(f"{GITHUB[:14]}<wbr>{GITHUB[14:]}", "github-token", GITHUB[14:]),
    Sample(f"{GITHUB[:14]}<!-- a -->{GITHUB[14:]}", "github-token", GITHUB[14:]),
    Sample(wide(GITHUB), "github-token", wide(GITHUB)),
    Sample(encoded(f"größe {GITHUB} ä"), "github-token"),
    Sample(encoded(encoded(GITHUB)), "github-token"),
    Sample(lines(encoded(lines(encoded(encoded(GITHUB)), 20)), 64), "github-token"),
    Sample(f"see\n{lines(encoded(f'the token {GITHUB}'), 20)}\nnext line", "github-token"),
    Sample(lines(encoded(f"the token of the build is {GITHUB}"), 76), "github-token"),
    Sample(GITHUB.encode().hex(), "github-token", GITHUB.encode().hex()),
    Sample(f"client-key-data: {encoded(KEY)}", "private-key", encoded(KEY)),
    Sample("DB_PASSWORD=correct-horse-battery\n", "password", "correct-horse-battery"),
)


def card(prefix: str, size: int = 16) -> str:
    """A number that passes Luhn."""
    body = prefix + "".join(_MADE.choice("0123456789") for _ in range(size - 1 - len(prefix)))
    for check in "0123456789":
        total = 0
        for place, digit in enumerate(reversed(body + check)):
            value = int(digit) * (1 + place % 2)
            total += value - 9 if value > 9 else value
        if total % 10 == 0:
            return body + check
    raise AssertionError("one digit always fits")


def iban(country: str, rest: str) -> str:
    number = int("".join(str(int(one, 36)) for one in f"{rest}{country}00"))
    return f"{country}{98 - number % 97:02}{rest}"


def spaced(text: str) -> str:
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


DNI = f"{12345678}{'TRWAGMYFPDXBNJZSQVHLCKE'[12345678 % 23]}"
NIR = f"2550814168025{97 - 2550814168025 % 97:02}"

PERSONAL: tuple[Sample, ...] = (
    Sample(f"Paid with {spaced(card('4539'))} in May", "payment-card"),
    Sample(f"card: {card('5425')}", "payment-card"),
    Sample(f"amex {card('37', 15)}", "payment-card"),
    Sample("the test card 4111 1111 1111 1111", "payment-card"),
    Sample(f"Account {spaced(iban('DE', '370400440532013000'))}", "iban"),
    Sample(f"to {iban('ES', '21000418450200051332')}", "iban"),
    Sample(f"IBAN {iban('GB', 'WEST12345698765432')}.", "iban"),
    Sample(f"DNI: {DNI}", "national-id"),
    Sample(f"sécurité sociale {NIR}", "national-id"),
    Sample("codice fiscale RSSMRA85T10A562S", "national-id"),
    Sample("CPF 529.982.247-25", "national-id"),
    Sample("BSN 111222333", "national-id"),
    Sample("PESEL: 44051401359", "national-id"),
    Sample("her SSN is 536-90-4399", "national-id"),
    Sample("NHS number 943 476 5919", "patient-number"),
)

ORDINARY: tuple[str, ...] = (
    "The retry waits 0.2 s, then 0.4 s; after the 5th it gives up.",
    f"Fixed in {made(40, HEX)} and {made(7, HEX)}.",
    "id: 550e8400-e29b-41d4-a716-446655440000",
    "ULID 01J9ZK4N7V9Q0W8XGJ5T3B2C1D is the session",
    f"sha256:{made(64, HEX)}",
    f"integrity sha512-{base64.b64encode(made(64).encode()).decode()}",
    "The password is stored in the vault; ask mei.",
    "Passwords: never in a pack. Secrets: in the secret store.",
    "Password policy: at least twelve characters, changed never.",
    "password: required",
    "token: budget of the context, 2000 by default",
    "tokens: 2000",
    "max_tokens=128000",
    "api_key = os.environ['SERVICE_API_KEY']",
    "api_key: ${SERVICE_API_KEY}",
    "secret = get_secret('db')",
    "password = settings.database_password",
    'password = "changeme"',
    "GITHUB_TOKEN=<your token>",
    "export API_KEY=your-api-key-here",
    "`token = response.json()['access_token']`",
    "key: value",
    "primary key: user_id, sort key: created_at",
    "The key: write it down first, then decide. Secret: patience.",
    "secret_key_base: see credentials.yml.enc",
    "keys: ctrl+s, ctrl+r",
    "AKIAIOSFODNN7EXAMPLE is the id in the manual of the vendor",
    "sk-learn-based-pipelines-are-slow-in-this-project-2024",
    "The ask-anthropic-first-and-then-decide-2 rule",
    "-----BEGIN PUBLIC KEY-----\nMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAK\n-----END PUBLIC KEY-----",
    "A file that begins with BEGIN RSA PRIVATE KEY is refused.",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9k2VqY4t0s8Zr1s3o7x8Zb5d6e7f8g9h0i1j2k3l4m me@host",
    "mtime_ns 1732546800123456789, size 4096",
    "at 1732546800123 ms since the epoch",
    "order 4539578763621487 shipped? no: 4539578763621480",
    "ISBN 978-3-16-148410-0, phone +49 30 901820",
    "version 3.141.592-65 of the parser",
    "GB29 is a road, DE89 a bus",
    "see https://example.org/a?page=2&sort=key",
    "https://user@host/path and ssh://git@host:22/repo",
    "postgres://localhost:5432/app",
    "http://127.0.0.1:8080/@me",
    "image: data:image/png;base64," + base64.b64encode(bytes(range(120))).decode(),
    "| column | type |\n| --- | --- |\n| password_hash | text |\n| token_count | int |",
    "Sensitivity: restricted. Secret masked: `▒▒▒▒`.",
    "def password(self) -> str:\n    return self._password",
    "The pin is 12 mm long and the passcode screen is slow.",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "monkey: 2, donkey: hay-and-2-apples",
    "keyboard: qwertz-105-de",
    "bearer bonds; basic training takes eleven-weeks",
    "glpat- is the prefix of GitLab's tokens, ghp_ of GitHub's, AKIA of AWS's.",
    "aws s3 ls s3://bucket/2024/11/30 --profile token-reader",
    "eyJ is how a JSON Web Token begins",
    "My account number is on the card; the IBAN is in the bank's app.",
    "NIE: write 8 letters; DNI 12345678A is made up",
    "ssn 000-12-3456",
    "0123456789abcdef0123456789abcdef-us is a region",
    "token-bucket: 100-per-second",
    "secret: the-real-trick-is-step-2",
    '{"token_type": "bearer", "expires_in": 3600}',
    'secret_name: "prod/db1"',
    'password_field: "#password-input"',
    'const TOKEN_PREFIX = "lobes_t1"',
    'token_endpoint: "oauth2/v1/token"',
    'secret_id = "projects/1/secrets/db"',
    'api_key_header = "X-API-Key1"',
    "export const API_TOKEN_HEADER = 'X-Api-Token'",
    'access_key_id = "name1234"',
    'token_ttl = "15m30s"',
    "token_count=12345a",
    "password: !vault |",
    '{"password": "string"}',
    "\\_ghp\\_ is how Markdown spells the prefix of tokens\\_of\\_that\\_kind\\_2024",
    f"etag {made(64, HEX)} of {made(32, HEX)}\n{made(64, HEX)}",
    "https://host/a%5Fb%2Dc?x=%E4%BD%A0&amp;y=snake%5Fcase%5Fname%5F2",
)
