// The checksum of output descriptors: BIP-380, "Checksum".

const INPUT =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const OUTPUT = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const LOW_35_BITS = (1n << 35n) - 1n;

export function foreignCharacter(text: string): number {
  return [...text].findIndex((character) => !INPUT.includes(character));
}

export function descriptorChecksum(script: string): string {
  let state = 1n;
  for (const symbol of [...symbolsOf(script), 0, 0, 0, 0, 0, 0, 0, 0]) state = next(state, symbol);
  state ^= 1n;
  let checksum = '';
  for (let i = 0; i < 8; i += 1) checksum += OUTPUT.charAt(Number((state >> BigInt(5 * (7 - i))) & 31n));
  return checksum;
}

function symbolsOf(script: string): number[] {
  const symbols: number[] = [];
  let groups = 0;
  let pending = 0;
  for (const character of script) {
    const place = INPUT.indexOf(character);
    symbols.push(place & 31);
    groups = groups * 3 + (place >> 5);
    pending += 1;
    if (pending === 3) {
      symbols.push(groups);
      groups = 0;
      pending = 0;
    }
  }
  if (pending > 0) symbols.push(groups);
  return symbols;
}

function next(state: bigint, symbol: number): bigint {
  const top = state >> 35n;
  let result = ((state & LOW_35_BITS) << 5n) ^ BigInt(symbol);
  GENERATOR.forEach((generator, bit) => {
    if ((top >> BigInt(bit)) & 1n) result ^= generator;
  });
  return result;
}
