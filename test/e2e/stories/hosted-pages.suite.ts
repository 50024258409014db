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
      it('allows only its own styles and scripts', async () => {
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

      it('revalidates shared files by their entity tag', async () => {
        for (const path of ['/till', '/button.js', '/docs-json', '/app/assets/of-another-release.css']) {
          const first = await desk.get(path);
          const etag = String(first.headers['etag']);
          const again = await desk.get(path, { 'if-none-match': etag });

          expect([path, first.status, again.status, again.text.length]).toEqual([path, 200, 304, 0]);
          expect(first.headers).toMatchObject({ etag, ratelimit: expect.any(String) });
        }
      });

      it('allows framing only by the sites that its point of sale lists', async () => {
        const origins = ['https://shop.example', 'https://till.example'];
        const posId = await desk.shop({ frame_origins: origins });
        const { session_id: id } = await desk.open({}, posId);

        const answer = await desk.get(page(id), {}, stranger());

        expect(policyOf(answer)['frame-ancestors']).toBe(origins.join(' '));
        expect(answer.headers['x-frame-options']).toBeUndefined();
      });
    });

    describe('A page without a session', () => {
      it('tells a caller who guesses to wait, and still serves existing sessions', async () => {
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
