// The checksum of output descriptors: BIP-380, "Checksum".

const DESCRIPTOR_CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const LOW_35_BITS = (1n << 35n) - 1n;

export function indexOfInvalidCharacter(text: string): number {
  return [...text].findIndex((character) => !DESCRIPTOR_CHARACTERS.includes(character));
}

export function descriptorChecksum(script: string): string {
  let state = 1n;
  for (const symbol of [...checksumSymbolsOf(script), 0, 0, 0, 0, 0, 0, 0, 0])
    state = nextChecksumState(state, symbol);
  state ^= 1n;
  let checksum = '';
  for (let i = 0; i < 8; i += 1)
    checksum += CHECKSUM_CHARACTERS.charAt(Number((state >> BigInt(5 * (7 - i))) & 31n));
  return checksum;
}

function checksumSymbolsOf(script: string): number[] {
  const symbols: number[] = [];
  let groups = 0;
  let pending = 0;
  for (const character of script) {
    const place = DESCRIPTOR_CHARACTERS.indexOf(character);
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

function nextChecksumState(state: bigint, symbol: number): bigint {
  const top = state >> 35n;
  let result = ((state & LOW_35_BITS) << 5n) ^ BigInt(symbol);
  CHECKSUM_GENERATOR.forEach((generator, bit) => {
    if ((top >> BigInt(bit)) & 1n) result ^= generator;
  });
  return result;
}
