"""The words that carry a rule: what turns a claim round, what says that it changed, what is no
content. English in breadth; of German, French, Spanish and Russian what turns a claim round.

Words are in lower case; contracted forms are split before they are looked up.
"""

from __future__ import annotations


def wordset(row: str) -> frozenset[str]:
    """The words of a row."""
    return frozenset(row.split())


FILLERS = wordset(
    """
    a an the this that these those there here it its they them their he she his her him you your
    is are was were be been being am do does did done has have had having will would shall should
    may might can could must need needs needed get gets got
    of in on at to for by from with as into onto per via and or so but if then than also too just
    about around approximately roughly up which who whom whose what each every any all some
    most least more less only even very quite rather both either such own one ones out over
    when while because since unless until after before always usually mostly again enough
    mr mrs ms dr please remember note
    der die das den dem des ein eine einer eines einem einen und oder im am zum zur von vom bei
    ist sind war waren wird werden auf mit für zu es man liegt
    le la les l un une des du de et ou est sont dans par pour au aux sur en
    el los las del y es son se al con por para lo
    и в на с по за это
    的 了
    """
)
"""No content: left out of the sets of words."""

SAME = {
    "i": "i", "me": "i", "my": "i", "mine": "i", "myself": "i", "i'm": "i", "i've": "i",
    "we": "we", "us": "we", "our": "we", "ours": "we", "we're": "we", "we've": "we",
    "tell": "say", "tells": "say", "said": "say", "says": "say",
    "written": "write", "wrote": "write", "kept": "keep", "sent": "send", "built": "build",
    "ran": "run", "held": "hold", "took": "take", "taken": "take", "paid": "pay", "made": "make",
    "chose": "choose", "chosen": "choose", "went": "go", "gone": "go", "left": "left",
    "children": "child", "people": "person", "wifi": "wi-fi", "email": "e-mail", "mail": "e-mail",
    "emails": "e-mail", "postgres": "postgresql", "js": "javascript", "repo": "repository",
    "repos": "repository", "docs": "doc", "documentation": "doc", "db": "database", "dbs":
    "database", "config": "configuration", "configs": "configuration", "prod": "production",
    "primary": "main", "indentation": "indent", "enough": "need", "lives": "live", "data": "data",
}  # fmt: skip
"""Spellings of one word."""

PERSONS = frozenset({"i", "we"})
"""Who speaks: whose a thing is, yet never what two claims have in common."""

NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
    "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
    "zehn": 10, "zwölf": 12, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dix": 10,
    "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "diez": 10,
    "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "десять": 10,
}  # fmt: skip
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip

NEGATORS = wordset(
    """
    not no never none nobody nothing neither nor without cannot
    nicht nie niemals kein keine keinen keiner keinem ohne
    jamais pas aucun aucune sans
    nunca jamás sin ninguna ningún
    не нет никогда без
    """
)
"""Each of them turns a claim round; two of them turn it back."""

NEGATORS_CJK = (
    "从不",
    "不再",
    "不要",
    "不能",
    "不会",
    "禁止",
    "没有",
    "不",
    "没",
    "未",
    "ない",
    "ません",
)

TURNS: tuple[tuple[str, str, str], ...] = (
    ("permit", "allowed permitted allow allows permit permits fine okay ok acceptable",
     "forbidden prohibited banned disallowed forbids forbid prohibit prohibits disallow"),
    ("advise", "prefer prefers preferred favour favor favours favors", "avoid avoids avoided"),
    ("oblige", "mandatory required obligatory compulsory require requires",
     "optional voluntary"),
)  # fmt: skip
"""Words that turn a claim round as a negator does, or say the contrary of those that do."""

POLES: tuple[tuple[str, str, str], ...] = (
    ("switch", "enabled enable enables active activated on", "disabled disable disables inactive"
     " deactivated off"),
    ("open", "open opened opens", "closed close closes shut"),
    ("sync", "synchronous synchronously sync", "asynchronous asynchronously async"),
    ("hand", "left-handed", "right-handed"),
    ("side", "left", "right"),
    ("opt", "opt-in", "opt-out"),
    ("hands", "automatic automatically", "manual manually by-hand"),
    ("sight", "public", "private"),
    ("count", "single-threaded", "multi-threaded multithreaded"),
    ("line", "online", "offline"),
    ("include", "includes include including included inclusive", "excludes exclude excluding"
     " excluded exclusive"),
    ("take", "accept accepts accepted", "reject rejects rejected refuse refuses refused"),
    ("keep", "keep keeps kept", "drop drops dropped discard discards discarded"),
    ("order", "before", "after"),
    ("sign", "positive", "negative"),
    ("sort", "ascending", "descending"),
    ("truth", "true", "false"),
    ("strict", "strict", "lax lenient"),
    ("possible", "possible", "impossible"),
    ("safe", "safe", "unsafe"),
    ("place", "local locally", "remote remotely"),
    ("case", "upper uppercase", "lower lowercase"),
    ("cipher", "encrypted", "unencrypted plaintext"),
    ("mutable", "mutable", "immutable"),
    ("like", "like likes love loves enjoy enjoys", "dislike dislikes hate hates"),
    ("number", "both", "only"),
    ("outcome", "pass passes passed succeed succeeds", "fail fails failed"),
    ("show", "visible shown", "hidden"),
    ("state", "stateful", "stateless"),
    ("eager", "eager eagerly", "lazy lazily"),
    ("block", "blocking", "non-blocking nonblocking"),
    ("shape", "flat", "nested"),
    ("share", "shared", "separate own"),
    ("works", "works working", "broken defective"),
    ("end", "newest latest", "oldest earliest"),
    ("stable", "stable", "unstable"),
    ("bound", "inbound incoming", "outbound outgoing"),
    ("idem", "reversible", "irreversible"),
    ("informal", "informal", "formal"),
)  # fmt: skip
"""Two ends of one thing. They tell only where both claims name an end of it."""

CHOICES: tuple[frozenset[str], ...] = (
    wordset("hourly daily weekly fortnightly monthly quarterly yearly annually"),
    wordset("white black green blue red yellow grey gray brown orange purple pink"),
    wordset("monday tuesday wednesday thursday friday saturday sunday"),
    wordset("montag dienstag mittwoch donnerstag freitag samstag sonntag"),
    wordset("lunes martes miércoles jueves viernes sábado domingo"),
    wordset("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    wordset("major minor patch"),
    wordset(
        "english german french spanish italian portuguese dutch polish russian chinese japanese"
        " korean turkish arabic hebrew czech swedish danish finnish norwegian greek"
    ),
    wordset("north south east west"),
    wordset("up down"),
)
"""Of each of these one excludes the others, for the same thing at the same time."""

MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "jan feb mar apr may jun jul aug sep oct nov dec",
    )
    for number, name in enumerate(names.split(), 1)
}

UNITS: dict[str, tuple[str, float]] = {
    spelling: (dimension, factor)
    for spellings, dimension, factor in (
        ("ms millisecond milliseconds", "time", 0.001),
        ("s sec secs second seconds sekunde sekunden", "time", 1.0),
        ("min mins minute minutes minuten minutos", "time", 60.0),
        ("h hr hrs hour hours stunde stunden horas heures", "time", 3600.0),
        ("d day days tag tage tagen días jours дней дня день", "time", 86_400.0),
        ("week weeks woche wochen semanas semaines", "time", 604_800.0),
        ("month months monat monate monaten meses mois", "time", 2_629_746.0),
        ("year years jahr jahre jahren años ans", "time", 31_556_952.0),
        ("b byte bytes", "size", 1.0),
        ("kb kib", "size", 1e3),
        ("mb mib", "size", 1e6),
        ("gb gib", "size", 1e9),
        ("tb tib", "size", 1e12),
        ("mg", "mass", 0.001),
        ("g gram grams", "mass", 1.0),
        ("kg kilo kilos", "mass", 1000.0),
        ("% percent prozent", "share", 1.0),
        ("€ euro euros eur", "eur", 1.0),
        ("$ dollar dollars usd", "usd", 1.0),
        ("£ pound pounds gbp", "gbp", 1.0),
        ("bpm", "bpm", 1.0),
        ("m metre metres meter meters", "length", 1.0),
        ("km", "length", 1000.0),
        ("cm", "length", 0.01),
        ("l litre litres liter liters", "volume", 1.0),
        ("ml", "volume", 0.001),
    )
    for spelling in spellings.split()
}
"""Spelling → what is measured, and how much of its base one is."""

VERBS = wordset(
    """
    is are was were be am has have had will would shall should may might can could must do does did
    need needs use uses used run runs ran live lives lie lies own owns take takes took expire
    expires keep keeps kept store stores listen listens support supports require requires prefer
    prefers avoid avoids like likes eat eats pay pays cover covers merge merges skip skips talk
    talks hold holds return returns answer answers write writes read reads call calls say says want
    wants recommend recommends belong belongs mean means start starts end ends close closes open
    opens send sends get gets go goes come comes cost costs weigh weighs manage manages review
    reviews treat treats drop drops acknowledge acknowledges count counts commit commits round
    rounds serve serves handle handles include includes exclude excludes contain contains ship
    ships back backs retry retries log logs allow allows forbid forbids sit sits stay stays sign
    signs quote quotes build builds deploy deploys host hosts time times reset resets drink drive
    drives work works moved switched replaced upgraded migrated
    ist sind war hat haben wird beträgt läuft liegt kostet nutzen deployen
    est sont a es son se coûte cuesta
    """
)
"""Where the first of them stands the subject ends."""

CONDITIONS = wordset(
    "if when whenever while unless until once where wenn falls sobald si cuando quand если"
)
DOUBTS = wordset(
    """
    whether wonder wonders thinks think thought maybe perhaps possibly unclear
    unsure undecided suppose supposes suspects suspect guess ob
    """
)
"""Whoever says so asserts nothing."""

OLD = wordset("old older legacy former previous earlier new newer next other another")
"""Tells a thing from its namesake: not the same subject where one alone has it."""

LABELS = wordset(
    """
    port version release step phase level tier node python java ruby php ticket issue invoice
    chapter section room floor gate platform line page table figure v chart http error code
    """
)
"""A number behind one of them names, it doesn't measure."""
