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

      it('is matched as its path is written, and the origin itself leads a browser to the dashboard', async () => {
        const paths = ['/TILL', '//till', '/APP/sign-in', '//app/sign-in', '/DOCS-json'];
        const answers = await Promise.all(paths.map((path) => desk.get(path)));
        const browser = await desk.get('/', { accept: 'text/html,*/*' });
        const program = await desk.get('/', { accept: 'application/json' });

        expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
        expect([browser.status, browser.headers['location']]).toEqual([303, expect.stringMatching(/\/app$/)]);
        expect([program.status, program.text]).toEqual([404, expect.stringContaining('/docs')]);
      });

      it('may be framed by the sites that its point of sale names, and by those alone', async () => {
        const origins = ['https://shop.example', 'https://till.example'];
        const posId = await desk.shop({ frame_origins: origins });
        const { session_id: id } = await desk.open({}, posId);

        const answer = await desk.get(page(id), {}, stranger());

        expect(policyOf(answer)['frame-ancestors']).toBe(origins.join(' '));
        expect(answer.headers['x-frame-options']).toBeUndefined();
      });

      it('is compressed as the browser likes it, while answers of the API never are', async () => {
        const { session_id: id } = await desk.open();
        const bytes = async (target: string, encoding: string) => {
          const answer = await fetch(service.apiUrl + target, { headers: { 'accept-encoding': encoding } });
          return [
            answer.headers.get('content-encoding'),
            answer.headers.get('vary'),
            await answer.text(),
          ] as const;
        };
        const plain = await bytes(page(id), 'identity');
        const gzip = await bytes(page(id), 'gzip');
        const brotli = await bytes(page(id), 'br');
        const api = await bytes(`/public/checkout/${id}`, 'gzip, br');

        expect([plain[0], gzip[0], brotli[0], api[0]]).toEqual([null, 'gzip', 'br', null]);
        for (const [, vary] of [plain, gzip, brotli]) expect(vary).toMatch(/Accept-Encoding/);
        // A network fee comes to be known meanwhile.
        const withoutTime = (html: string) =>
          html.replace(/data-left-ms="\d+"|<span class="fee">[^<]*<\/span>/g, '');
        expect(withoutTime(gzip[2]) === withoutTime(plain[2])).toBe(true);
        expect(withoutTime(brotli[2]) === withoutTime(plain[2])).toBe(true);
      });

      it('takes the choice as a form and leads back to itself', async () => {
        const { session_id: id } = await desk.open();

        const chosen = await post(page(id), `unique_asset_id=${usdc}`);
        const { selected } = await desk.read(id, stranger());
        const shown = await desk.get(page(id), {}, stranger());

        expect([chosen.status, chosen.headers['location']]).toEqual([303, page(id)]);
        expect(shown.text).toContain(selected!.address);
      });

      it('opens first the way to pay that its point of sale names, and any that its address names', async () => {
        const posId = await desk.shop({ checkout_first: 'code' });
        const { session_id: id } = await desk.open({}, posId);
        const opened = async (query = '') => {
          const { text } = await desk.get(page(id) + query, {}, stranger());
          return [...text.matchAll(/id="way-(\w+)"(?! hidden)/g)].map(([, way]) => way);
        };

        expect(await opened()).toEqual(['code']);
        expect(await opened('?pay=address')).toEqual(['address']);
        expect(await opened('?pay=browser')).toEqual(['code']);
        const chosen = await post(`${page(id)}?pay=address`, `unique_asset_id=${usdc}`);
        expect(chosen.headers['location']).toBe(`${page(id)}?pay=address`);
        const unknown = await desk.get(`${page(id)}?pay=cash`, {}, stranger());
        expect([unknown.status, unknown.headers['location']]).toEqual([303, page(id)]);
      });

      it('leads back to itself from a form that came too late or makes no sense', async () => {
        const { session_id: id } = await desk.open();
        await post(page(id), `unique_asset_id=${usdc}`);
        await desk.pay(await desk.read(id, stranger()));
        await desk.until(id, ({ status }) => status === 'processing');
        const late = `unique_asset_id=${service.assets[1]!.unique_asset_id}`;

        const bodies = [
          late,
          'unique_asset_id=nonsense',
          'unique_asset_id=',
          'surprise=1',
          `${late}&surprise=1`,
        ];
        for (const body of bodies) {
          const answer = await post(page(id), body);
          expect([body, answer.status, answer.headers['location']]).toEqual([body, 303, page(id)]);
        }
        const tracked = await desk.get(`${page(id)}?utm_source=mail`, {}, stranger());
        expect([tracked.status, tracked.headers['location']]).toEqual([303, page(id)]);
        expect((await desk.read(id, stranger())).selected!.unique_asset_id).toBe(usdc);
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

      it('a choice is answered by the same page', async () => {
        const answer = await post(page(UNKNOWN), `unique_asset_id=${usdc}`);

        expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
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

      it('of play money, nobody can be asked to pay', async () => {
        const { session_id: id } = await desk.open();

        const answer = await post(`${page(id)}/sandbox-payment`, 'how=exact');

        expect(answer.status).toBe(404);
        expect((await desk.get(page(id), {}, stranger())).text).not.toContain('sandbox-payment');
      });

      it('a form may be posted nowhere else', async () => {
        const { session_id: id } = await desk.open();

        const elsewhere = await post(`/public/checkout/${id}/select-asset`, `unique_asset_id=${usdc}`);

        expect(elsewhere.status).toBe(415);
        expect((await post(page(id), '{}', { 'content-type': 'text/plain' })).status).toBe(415);
      });
    });
  });
}
