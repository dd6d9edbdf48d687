"""Makes table.csv: prices of options out of the money in 60 digits, rounded to doubles. Run: python3 make.py (needs mpmath).

A row is a kind, the log-moneyness x <= 0, the deviation s (volatility times the root of time) and the price
b(x, s) = exp(x/2) N(x/s + s/2) - exp(-x/2) N(x/s - s/2), which is Black's, normalised by the root of forward times strike.
"""
import random

import mpmath as mp

mp.mp.dps = 60
random.seed(20261124)


def normal(z):
    return mp.erfc(-z / mp.sqrt(2)) / 2


def price(x, s):
    return mp.exp(x / 2) * normal(x / s + s / 2) - mp.exp(-x / 2) * normal(x / s - s / 2)


def near(s):
    return -abs(random.gauss(0, 2)) * s


def power(low, high):
    return 10 ** random.uniform(low, high)


minute, decade = (60 / 31_536_000) ** 0.5, 10 ** 0.5


def market():
    s = power(-1.3, 0.48) * power(-4, 0.48) ** 0.5
    return near(s), s


def deep():
    s = power(-2, 0)
    return -random.uniform(5, 36) * s, s


def scaled(low, high, root):
    s = power(low, high) * root
    return near(s), s


kinds = {
    "market": (600, market),
    "wide": (400, lambda: (-power(-6, 0.8), power(-2, 0.7))),
    "atTheMoney": (200, lambda: (0.0, power(-3, 0.7))),
    "deep": (300, deep),
    "oneMinute": (250, lambda: scaled(-1, 0.3, minute)),
    "tenYears": (250, lambda: scaled(-1, 0.18, decade)),
}

with open("table.csv", "w") as file:
    file.write("kind,x,s,price\n")
    for kind, (count, draw) in kinds.items():
        while count > 0:
            x, s = draw()
            exact = price(mp.mpf(x), mp.mpf(s))
            # A double below this has lost digits.
            if exact > mp.mpf("1e-290"):
                file.write(f"{kind},{x!r},{s!r},{float(exact)!r}\n")
                count -= 1
