import { hash } from 'node:crypto';

const twice = (bytes: Buffer) => hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');

async function ask(url: string, method: string, params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return ((await (await fetch(url, { method: 'POST', body })).json()) as { result: string }).result;
}

/**
 * The least that reads blocks without believing a node: it fetches each, hashes its transactions into their tree, and looks
 * for the script of each output among those of the service. It keeps nothing, and knows one kind of answer.
 * @returns how many outputs of all blocks pay one of these scripts
 */
export async function readBare(url: string, heights: number, scripts: ReadonlySet<string>): Promise<number> {
  let found = 0;
  for (let height = 0; height < heights; height += 1) {
    const id = await ask(url, 'getblockhash', [height]);
    found += payments(Buffer.from(await ask(url, 'getblock', [id, 0]), 'hex'), scripts);
  }
  return found;
}

function payments(bytes: Buffer, scripts: ReadonlySet<string>): number {
  let at = 80;
  const size = () => {
    const first = bytes[at++]!;
    if (first < 0xfd) return first;
    const length = first === 0xfd ? 2 : 4;
    at += length;
    return bytes.readUIntLE(at - length, length);
  };
  let found = 0;
  let level: Buffer[] = [];
  for (let left = size(); left > 0; left -= 1) {
    const begin = at;
    const hasWitness = bytes[at + 4] === 0;
    const body = (at += hasWitness ? 6 : 4);
    const inputs = size();
    for (let i = 0; i < inputs; i += 1) {
      at += 36;
      const length = size();
      at += length + 4;
    }
    for (let outputs = size(); outputs > 0; outputs -= 1) {
      at += 8;
      const length = size();
      at += length;
      if (scripts.has(bytes.toString('hex', at - length, at))) found += 1;
    }
    const end = at;
    for (let i = hasWitness ? inputs : 0; i > 0; i -= 1) {
      for (let items = size(); items > 0; items -= 1) {
        const length = size();
        at += length;
      }
    }
    at += 4;
    const parts = [bytes.subarray(begin, begin + 4), bytes.subarray(body, end), bytes.subarray(at - 4, at)];
    level.push(twice(hasWitness ? Buffer.concat(parts) : bytes.subarray(begin, at)));
  }
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
      twice(Buffer.concat([below[2 * i]!, below[2 * i + 1] ?? below[2 * i]!])),
    );
  }
  if (!level[0]!.equals(bytes.subarray(36, 68)))
    throw new Error('The transactions are not those of the header.');
  return found;
}
