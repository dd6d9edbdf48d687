"""Prints the fits that src/black holds, by least squares in 50 digits, weighted until the worst error is least. Run: python3 fit.py (needs mpmath)."""
import mpmath as mp

mp.mp.dps = 50


def mills(z):
    return mp.sqrt(mp.pi / 2) * mp.exp(z * z / 2) * mp.erfc(z / mp.sqrt(2))


def bachelier(d):
    """The price of an option d deviations from the forward, by the distance of strike and forward."""
    return mp.exp(-d * d / 2) / mp.sqrt(2 * mp.pi) / d - mp.erfc(d / mp.sqrt(2)) / 2


def fit(points, values, n, m, rounds=25):
    """The polynomials of degrees n and m whose quotient is nearest to the values, and their worst relative error."""
    weights, below, best = [mp.mpf(1)] * len(points), [mp.mpf(1)] * len(points), None
    for _ in range(rounds):
        left, right = mp.matrix(len(points), n + m + 1), mp.matrix(len(points), 1)
        for row, (x, y) in enumerate(zip(points, values)):
            scale = weights[row] / (y * below[row])
            for power in range(n + 1):
                left[row, power] = scale * x**power
            for power in range(1, m + 1):
                left[row, n + power] = -scale * y * x**power
            right[row] = scale * y
        found = list(mp.lu_solve(left, right))
        above, under = found[: n + 1], [mp.mpf(1)] + found[n + 1 :]
        below = [mp.polyval(under[::-1], x) for x in points]
        errors = [abs(mp.polyval(above[::-1], x) / q / y - 1) for x, q, y in zip(points, below, values)]
        if best is None or max(errors) < best[0]:
            best = (max(errors), above, under)
        weights = [w * (mp.mpf("0.4") + e / max(errors)) for w, e in zip(weights, errors)]
        weights = [w / max(weights) for w in weights]
    return best


def chebyshev(low, high, count):
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]


def show(name, found):
    print(name, mp.nstr(found[0], 3), *([float(c) for c in part] for part in found[1:]), sep="\n  ")


tails = chebyshev(mp.mpf(0), mp.mpf("5.7"), 110)
show("mills", fit(tails, [mills(z) for z in tails], 8, 9))
show("slope", fit(tails, [1 - z * mills(z) for z in tails], 7, 9))

# The guess: near the money by the square of distance over straddle, far from it by the root of the logarithm of the price.
near = chebyshev(mp.mpf("0.001"), mp.mpf("1.22"), 80)
straddles = [d / (2 * bachelier(d) * d + d) for d in near]
show("near", fit([u * u for u in straddles], [u / d for u, d in zip(straddles, near)], 3, 3))
far = [mp.mpf("1.18") * (mp.mpf(37) / mp.mpf("1.18")) ** (mp.mpf(k) / 119) for k in range(120)]
show("far", fit([mp.sqrt(-mp.log(bachelier(d))) for d in far], far, 4, 3))
