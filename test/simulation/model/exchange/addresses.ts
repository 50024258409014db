/** How far an address lies in a list of addresses and ranges: `open` where either is not plain IPv4. */
export function isListed(address: string, list: readonly string[]): boolean | 'open' {
  if (list.length === 0) return true;
  const source = number(plain(address));
  let isOpen = source === null;
  for (const entry of list) {
    if (entry === address) return true;
    const [base = '', bits = '32'] = plain(entry).split('/');
    const start = number(base);
    if (start === null || source === null) {
      isOpen = true;
      continue;
    }
    const width = 2 ** (32 - Number(bits));
    if (Math.floor(start / width) === Math.floor(source / width)) return true;
  }
  return isOpen ? 'open' : false;
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function number(address: string): number | null {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return null;
  return parts.reduce((total, part) => total * 256 + Number(part), 0);
}
