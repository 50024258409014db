/** Names of the secrets that stand in a text, as they are or in a common encoding. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  const lower = text.toLowerCase();
  return [...secrets]
    .filter(([name, secret]) => {
      if (secret.length < 6) throw new Error(`${name} is too short to be looked for.`);
      return spellings(secret).some((spelling) => lower.includes(spelling.toLowerCase()));
    })
    .map(([name]) => name);
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => insideBase64(bytes, offset)),
  ];
}

/** The base64 of the bytes inside a longer text, after `offset` bytes: without the characters that neighbours share. */
function insideBase64(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const first = [0, 2, 3][offset]!;
  const shared = (offset + bytes.length) % 3 === 0 ? 0 : 1;
  const own = text.slice(first, text.length - shared);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}
