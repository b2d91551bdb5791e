"""What is published of the operators: for each postulate a row of signs, one an operator.

+ holds, - fails, . not stated. The rows follow the order of the operators in `laboratory.operators`.
"""

from __future__ import annotations

# full linear lexmax lexmeet Brewka safe smooth one maxi ensconcement severe lifted
CONTRACTION = {
    "success": "++++++++++++",
    "inclusion": "++++++++++++",
    "failure": "++++++++++++",
    "vacuity": "++++++++++++",
    "core-retainment": "+++++++++---",
    "relevance": "+++++-------",
    "fullness": "-++---------",
    "disjunctive-elimination": "+++++----+--",
    "relative-closure": "+++++-+--+-+",
    "uniformity": "+++++++++-++",
    "recovery": "------------",
    "entrenchment-certificate": "-++---------",
    "weak-entrenchment": "-++++++++---",
    "locality": "+++++++++---",
    "base 7": "++++++++-+++",
    "base 8": "-++------+++",
    "K÷7 on Cn(R)": "-++-------++",
    "K÷8 on Cn(R)": "-++------+++",
    "K*3 (Levi)": "++++++++++++",
    "K*4 (Levi)": "++++++++++++",
    "K*5 (Levi)": "++++++++++++",
    "K*6 (Levi)": "++++++++++++",
    "K*7 (Levi)": "-++------+++",
    "K*8 (Levi)": "-++------+++",
    "linear hierarchy": "----------++",
}

REVISION = {
    "success": "++++++++++++",
    "inclusion": "++++++++++++",
    "consistency": "++++++++++++",
    "vacuity": "++++++++++++",
    "relevance": "+++++-.--...",
    "core-retainment": "+++++....---",
    "uniformity": "+++++....-..",
    "pre-expansion": "+++++.......",
}

CONSOLIDATION = {
    "consistency": "++++++++++++",
    "inclusion": "++++++++++++",
    "vacuity": "++++++++++++",
    "idempotence": "++++++++++++",
    "core-retainment": "+++++++++---",
    "relevance": "+++++----...",
    "componentwise": "+++++++++---",
}

SEMI_REVISION = {
    "semi consistency": "++++++++++++",
    "semi inclusion": "++++++++++++",
    "semi pre-expansion": "..--........",
    "semi relative success": "-++..-.--...",
}

ITERATED = {
    # natural lexicographic restrained bullet Spohn Dalal Satoh amnesic
    "K*1": "++++++.+",
    "K*2": "++++++.+",
    "K*3": "++++++.+",
    "K*4": "++++++.+",
    "K*5": "++++++.+",
    "K*6": "++++++.+",
    "K*7": "++++++.+",
    "K*8": "++++++-+",
    "C1": "+++++-.+",
    "C2": "+++++-.-",
    "C3": "++++-+.+",
    "C4": "++++--.+",
    "Ind": "-+++--.-",
    "CB": "+-----.-",
    "D": "+-+---.-",
}

JOURNALS = {
    # append, reassert, reassert lowering, delete on write
    "C1": "++.-",
    "C2": "++.-",
    "C3": "++-+",
    "C4": "++-+",
    "Ind": "++-+",
    "CB": "--.-",
    "D": "--.-",
}

THEORY_CONTRACTION = {
    # full meet, arbitrary maxichoice, orderly maxichoice, partial meet, severe withdrawal
    "K÷1": "+++++",
    "K÷2": "+++++",
    "K÷3": "+++++",
    "K÷4": "+++++",
    "K÷5": "++++-",
    "K÷6": "+++++",
    "K÷7": "+-+++",
    "K÷8": "+-+++",
    "factoring": "+-.+.",
    "linear hierarchy": "...-+",
    "antitony": "...-+",
}

UPDATE = {
    # PMA, Forbus, Dalal, Satoh
    "U1": "++..",
    "U2": "++-.",
    "U3": "++..",
    "U4": "++..",
    "U5": "++..",
    "U6": "++..",
    "U7": "++..",
    "U8": "++-.",
    "U9": "-+..",
    "R2 (revision)": "--+.",
    "R3 (revision)": "--+.",
    "K*8 (revision)": "--+-",
}
