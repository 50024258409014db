import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CheckoutDesk } from '#test/support/checkout-desk.js';
import type { Received } from '#test/support/hostile/hostile-http.js';
import type { TestService } from '#test/support/service.js';
import type { SharedService } from '#test/support/shared-service.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN = 'B'.repeat(32);

let service: TestService;
let desk: CheckoutDesk;
let usdc: string;
let strangers = 0;

const stranger = () => `127.30.${(strangers += 1)}.1`;
const page = (id: string) => `/checkout/${id}`;
const post = (target: string, body: string, headers: Record<string, string> = FORM, from = stranger()) =>
  desk.http.send({ method: 'POST', target, headers, body, from });

function policyOf({ headers }: Received): Record<string, string> {
  const directives = String(headers['content-security-policy']).split('; ');
  return Object.fromEntries(directives.map((directive) => directive.split(/ (.*)/s).slice(0, 2)));
}

function hashesOf(html: string, tag: 'style' | 'script'): string[] {
  const inline = [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))];
  return inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
}

export function hostedPagesSuite(shared: SharedService): void {
  describe('Hosted pages', () => {
    beforeAll(async () => {
      service = await shared.shop();
      desk = new CheckoutDesk(service);
      usdc = service.assets[0]!.unique_asset_id;
    });

    afterAll(async () => {
      desk?.close();
    });

    describe('The hosted page', () => {
      it('of a session is HTML that may run and load nothing but its own', async () => {
        const { session_id: id } = await desk.open();

        const answer = await desk.get(page(id), {}, stranger());

        const policy = policyOf(answer);
        expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        expect(hashesOf(answer.text, 'style')).toEqual([policy['style-src']]);
        // Beside what it inlines, it may load the one script that pays by the browser's wallets.
        const [own, ...loaded] = policy['script-src']!.split(' ');
        expect(hashesOf(answer.text, 'script')).toEqual([own]);
        expect(loaded).toEqual([expect.stringMatching(/^'sha256-\S+'$/)]);
        expect(policy).toMatchObject({
          'default-src': "'none'",
          'connect-src': "'self'",
          'form-action': "'self'",
          'base-uri': "'none'",
          'frame-ancestors': "'none'",
        });
        expect(answer.headers).toMatchObject({
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'content-language': 'en',
        });
        expect(answer.text).toContain('Demonstration shop');
        expect(answer.text).not.toMatch(/<[^>]+ (?:style|on\w+)=/);
      });

      it('costs nothing where it is the same for everybody: the browser checks it by its entity tag', async () => {
        const files = ['/till', '/till/worker.js', '/till/manifest.webmanifest', '/till/icon-192.png'];
        for (const path of [...files, '/button.js', '/docs-json', '/app/assets/of-another-release.css']) {
          const first = await desk.get(path);
          const etag = String(first.headers['etag']);
          const again = await desk.get(path, { 'if-none-match': etag });

          expect([path, first.status, again.status, again.text.length]).toEqual([path, 200, 304, 0]);
          expect(first.headers).toMatchObject({ etag, ratelimit: expect.any(String) });
        }
      });

      it('may be framed by the sites that its point of sale names, and by those alone', async () => {
        const origins = ['https://shop.example', 'https://till.example'];
        const posId = await desk.shop({ frame_origins: origins });
        const { session_id: id } = await desk.open({}, posId);

        const answer = await desk.get(page(id), {}, stranger());

        expect(policyOf(answer)['frame-ancestors']).toBe(origins.join(' '));
        expect(answer.headers['x-frame-options']).toBeUndefined();
      });

      it('takes the choice as a form and leads back to itself', async () => {
        const { session_id: id } = await desk.open();

        const chosen = await post(page(id), `unique_asset_id=${usdc}`);
        const { selected } = await desk.read(id, stranger());
        const shown = await desk.get(page(id), {}, stranger());

        expect([chosen.status, chosen.headers['location']]).toEqual([303, page(id)]);
        expect(shown.text).toContain(selected!.address);
      });

      it('shows nothing of another session', async () => {
        const [one, other] = [await desk.open({ amount: '11.37' }), await desk.open({ amount: '83.91' })];
        await desk.select(other.session_id, usdc);
        const { selected } = await desk.read(other.session_id);

        const { text } = await desk.get(page(one.session_id), {}, stranger());

        expect(text).toContain('11.37');
        for (const secret of [other.session_id, other.id, other.token, selected!.address, '83.91'])
          expect(text).not.toContain(secret);
      });
    });

    describe('Where there is no session', () => {
      it.each([
        ['es-MX,es;q=0.9', 'es', 'Pago no encontrado'],
        ['pt-BR', 'pt', 'Pagamento não encontrado'],
        ['de, en;q=0.5', 'en', 'Payment not found'],
        ['fr', 'en', 'Payment not found'],
      ])('a page says so in the payer’s language: %s', async (accepted, language, title) => {
        for (const id of [UNKNOWN, 'short', '%22%3E', 'x'.repeat(5_000)]) {
          const answer = await desk.get(page(id), { 'accept-language': accepted }, stranger());

          expect([answer.status, answer.headers['content-language']]).toEqual([404, language]);
          expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
          expect(answer.text).toContain(title);
          expect(policyOf(answer)['frame-ancestors']).toBe("'none'");
        }
      });

      it('whoever guesses gets a page that says to wait, and the page of what exists', async () => {
        const from = stranger();
        const { session_id: id } = await desk.open();
        for (let n = 0; n < 30; n += 1) await desk.get(page(String(n).padStart(32, 'g')), {}, from);

        const answers = [
          await desk.get(page(UNKNOWN), {}, from),
          await post(page(UNKNOWN), `unique_asset_id=${usdc}`, FORM, from),
        ];

        for (const { status, headers, text } of answers) {
          expect([status, headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          expect(text).toContain('Too many attempts');
        }
        expect((await desk.get(page(id), {}, from)).status).toBe(200);
      });
    });
  });
}
