import { type Hex, concatHex, keccak256, padHex, toHex } from 'viem';

/** Mappings of contracts that inherit much, proxies' reserved room included, begin this far into their storage. */
const SOLIDITY_SLOTS = 160;
const VYPER_SLOTS = 24;
/** OpenZeppelin's ERC-7201 namespace `openzeppelin.storage.ERC20`, whose first field is the mapping of balances. */
const NAMESPACED_SLOT: Hex = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00';
/** Solady's, between which and the owner's address stand eight zero bytes. */
const SOLADY_SEED: Hex = '0x87a211a2';
const FIRST_MARK = 1n << 40n;

/**
 * Every place where a token may keep this owner's balance, by the layouts that compilers and libraries use, each with
 * a mark of its own: the mark that `balanceOf` then answers tells the place, with a single call.
 */
export function markedBalances(owner: string): {
  stateDiff: Record<Hex, Hex>;
  placeOf(balance: bigint): Hex | null;
} {
  const places = placesOf(owner as Hex);
  const stateDiff = Object.fromEntries(places.map((place, i) => [place, word(FIRST_MARK + BigInt(i))]));
  return {
    stateDiff,
    placeOf: (balance) => places[Number(balance - FIRST_MARK)] ?? null,
  };
}

export function word(value: bigint): Hex {
  return toHex(value, { size: 32 });
}

function placesOf(owner: Hex): Hex[] {
  const key = padHex(owner, { size: 32 });
  const numbered = (count: number, place: (slot: Hex) => Hex) =>
    Array.from({ length: count }, (_, slot) => place(word(BigInt(slot))));
  return [
    ...numbered(SOLIDITY_SLOTS, (slot) => keccak256(concatHex([key, slot]))),
    ...numbered(VYPER_SLOTS, (slot) => keccak256(concatHex([slot, key]))),
    keccak256(concatHex([key, NAMESPACED_SLOT])),
    keccak256(concatHex([owner, `0x${'00'.repeat(8)}`, SOLADY_SEED])),
  ];
}
