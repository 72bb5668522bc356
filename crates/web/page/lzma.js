// An LZMA decoder, which browsers lack: the module and the example are a third smaller than with gzip.

/** Decompresses output of `xz --format=lzma` that has the size of the file in its header. */
export function unlzma(packed) {
  const header = new DataView(packed.buffer, packed.byteOffset);
  const lc = packed[0] % 9;
  const lp = Math.floor(packed[0] / 9) % 5;
  const pb = Math.floor(packed[0] / 45);
  const out = new Uint8Array(Number(header.getBigUint64(5, true)));
  let range = 0xffffffff;
  let code = header.getUint32(14);
  let at = 18;

  const odds = (count) => new Uint16Array(count).fill(1024);
  const shift = () => {
    if (range >= 0x1000000) return;
    range *= 256;
    code = code * 256 + (packed[at++] | 0);
  };
  const bit = (probabilities, index) => {
    const of0 = probabilities[index];
    const bound = (range >>> 11) * of0;
    const is1 = code >= bound;
    if (is1) {
      range -= bound;
      code -= bound;
      probabilities[index] = of0 - (of0 >>> 5);
    } else {
      range = bound;
      probabilities[index] = of0 + ((2048 - of0) >>> 5);
    }
    shift();
    return is1 ? 1 : 0;
  };
  const direct = (count) => {
    let number = 0;
    for (; count > 0; count -= 1) {
      range >>>= 1;
      const is1 = code >= range;
      if (is1) code -= range;
      number = number * 2 + (is1 ? 1 : 0);
      shift();
    }
    return number;
  };
  const tree = (probabilities, from, bits) => {
    let node = 1;
    for (let n = 0; n < bits; n += 1) node = node * 2 + bit(probabilities, from + node);
    return node - (1 << bits);
  };
  const backwards = (probabilities, from, bits) => {
    let [node, number] = [1, 0];
    for (let n = 0; n < bits; n += 1) {
      const next = bit(probabilities, from + node);
      node = node * 2 + next;
      number += next << n;
    }
    return number;
  };
  const lengths = () => ({ choice: odds(2), low: odds(128), middle: odds(128), high: odds(256) });
  const lengthOf = ({ choice, low, middle, high }, place) => {
    if (!bit(choice, 0)) return 2 + tree(low, place << 3, 3);
    return bit(choice, 1) ? 18 + tree(high, 0, 8) : 10 + tree(middle, place << 3, 3);
  };

  const literals = odds(0x300 << (lc + lp));
  const [isMatch, isLong] = [odds(192), odds(192)];
  const [isAgain, isOlder, isThird, isFourth] = [odds(12), odds(12), odds(12), odds(12)];
  const [slots, distances, ends] = [odds(256), odds(115), odds(16)];
  const [ofNew, ofAgain] = [lengths(), lengths()];
  let [state, first, second, third, fourth] = [0, 0, 0, 0, 0];
  for (let to = 0; to < out.length; ) {
    const place = to & ((1 << pb) - 1);
    if (!bit(isMatch, (state << 4) + place)) {
      const from = 0x300 * (((to & ((1 << lp) - 1)) << lc) + ((to > 0 ? out[to - 1] : 0) >> (8 - lc)));
      let node = 1;
      if (state >= 7) {
        // A literal that differs from the byte a copy would have given.
        for (let like = out[to - first - 1]; node < 0x100; like <<= 1) {
          const expected = (like >> 7) & 1;
          const next = bit(literals, from + ((1 + expected) << 8) + node);
          node = node * 2 + next;
          if (next !== expected) break;
        }
      }
      while (node < 0x100) node = node * 2 + bit(literals, from + node);
      out[to++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (!bit(isAgain, state)) {
      [second, third, fourth] = [first, second, third];
      length = lengthOf(ofNew, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(length - 2, 3) << 6, 6);
      first = slot;
      if (slot >= 4) {
        const bits = (slot >> 1) - 1;
        first = (2 + (slot & 1)) * 2 ** bits;
        first += slot < 14 ? backwards(distances, first - slot, bits) : direct(bits - 4) * 16 + backwards(ends, 0, 4);
      }
    } else {
      if (bit(isOlder, state)) {
        if (!bit(isThird, state)) [first, second] = [second, first];
        else if (!bit(isFourth, state)) [first, second, third] = [third, first, second];
        else [first, second, third, fourth] = [fourth, first, second, third];
      } else if (!bit(isLong, (state << 4) + place)) {
        out[to] = out[to - first - 1];
        to += 1;
        state = state < 7 ? 9 : 11;
        continue;
      }
      length = lengthOf(ofAgain, place);
      state = state < 7 ? 8 : 11;
    }
    if (first >= to) throw new Error("the module in the page is damaged");
    for (; length > 0 && to < out.length; length -= 1, to += 1) out[to] = out[to - first - 1];
  }
  return out;
}
