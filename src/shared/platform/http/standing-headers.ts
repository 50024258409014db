import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Where node keeps the text of a head between `writeHead` and the first byte sent; not part of its documented API. */
interface WithHeadText {
  _header?: unknown;
}

const END = '\r\n\r\n';

/**
 * Headers that are the same on every answer. Node checks, joins and copies each one anew, which for a dozen of them
 * costs a third of a small answer. So their text is joined once and put behind the head that node has written; where
 * a version of node keeps no such text, they go the ordinary way.
 */
export class StandingHeaders {
  private readonly flat: readonly string[];
  private readonly text: string;

  /** @param joined false makes them go the ordinary way */
  constructor(
    headers: readonly (readonly [name: string, value: string])[],
    private readonly joined = keepsHeadText(),
  ) {
    this.flat = headers.flat();
    this.text = `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  /** As `response.writeHead`. @param headers names and values in turn, none of which is a standing one */
  writeHead(response: ServerResponse, status: number, headers: readonly string[]): void {
    if (!this.joined) {
      response.writeHead(status, [...headers, ...this.flat]);
      return;
    }
    response.writeHead(status, headers as string[]);
    const head = response as WithHeadText;
    head._header = (head._header as string).slice(0, -2) + this.text;
  }
}

function keepsHeadText(): boolean {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.writeHead(204, ['X-Probe', '1']);
  const { _header: text } = response as WithHeadText;
  return typeof text === 'string' && text.startsWith('HTTP/1.1 204') && text.endsWith(END);
}
