import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '#sandbox/processes/loopback-server.js';

const README = readFileSync('clients/checkout-button/README.md', 'utf8');
const PAGE = /```html\n(.*?)```/s.exec(README)![1]!;
const SCRIPT = /```js\n(.*?)```/s.exec(README)![1]!;

/** A shop with the page of the button's README, under the policy that the README asks for. */
export class ButtonShop {
  private constructor(private readonly server: Server) {}

  static async listen(payUrl: string): Promise<ButtonShop> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://shop');
      const isScript = pathname === '/shop.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.setHeader(
        'content-security-policy',
        `default-src 'none'; script-src 'self' ${payUrl}; frame-src ${payUrl}; img-src data:`,
      );
      response.end(isScript ? SCRIPT : page(payUrl, searchParams));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new ButtonShop(server);
  }

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  get foreignOrigin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param attributes of the button, besides `session` */
  address(session: string, attributes = '', origin = this.origin): string {
    return `${origin}/?${new URLSearchParams({ session, attributes })}`;
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }

  private get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
}

/** Browsers ask for an icon, and phones for the width: all else is the README's. */
function page(payUrl: string, query: URLSearchParams): string {
  const head = '<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">';
  return PAGE.replace('<main>', `${head}<main>`)
    .replaceAll('https://pay.example', payUrl)
    .replace('session="SESSION_ID"', `session="${query.get('session')}" ${query.get('attributes')}`);
}
