import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';
import { PAYER_ASSETS } from './page-assets.js';
import { EVERY_PAGE } from './testing/sample-pages.js';

const pageScript = PAYER_ASSETS.script.text;
const everything = Object.values(EVERY_PAGE)
  .map((model) => renderCheckoutPage(model, 'en').replace(/<(style|script)>[\s\S]*?<\/\1>/g, ''))
  .join('');

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

describe('The browser script', () => {
  it('is still a script once its comments are gone', () => {
    expect(() => new Script(pageScript)).not.toThrow();
    expect(pageScript).not.toMatch(/^\s|\/\*\*? [A-Z]/m);
  });

  it('finds in the pages every id and attribute that it looks for', () => {
    const ids = [...pageScript.matchAll(/byId\('([\w-]+)'\)/g)].map(([, id]) => `id="${id}"`);
    const properties = [...pageScript.matchAll(/dataset\.(\w+)/g)].map(([, name]) => `data-${kebab(name!)}`);
    const selected = [...pageScript.matchAll(/\[(data-[\w-]+)/g)].map(([, name]) => name!);

    expect([ids.length, properties.length, selected.length].every((found) => found > 3)).toBe(true);
    for (const wanted of [...ids, ...properties, ...selected]) expect(everything).toContain(wanted);
  });

  it('brings what makes the copy buttons work', () => {
    expect(pageScript).toContain('navigator.clipboard.writeText');
  });

  it('reads from the page where to ask, for what, and how long is left by the server’s clock', () => {
    const html = renderCheckoutPage(EVERY_PAGE.created!, 'en');

    expect(html).toContain('data-poll="/public/checkout/Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3"');
    expect(html).toContain('data-etag="&quot;1&quot;"');
    expect(html).toContain('data-left-ms="432000"');
  });

  it.each(['completed', 'overpaid', 'expired by a link, nothing chosen'])(
    'is given 20 seconds before it goes back from the page that is %s, and what to say of it',
    (state) => {
      const html = renderCheckoutPage(EVERY_PAGE[state]!, 'en');

      expect(html).toContain('data-seconds="20"');
      expect(html).toMatch(/data-said="You will return to .* in 20 seconds, unless/);
    },
  );

  it.each(['underpaid', 'expired', 'failed'])(
    'leaves going back from the page that is %s to the payer, whose money may be there',
    (state) => {
      const html = renderCheckoutPage(EVERY_PAGE[state]!, 'en');

      expect(html).toContain('id="return"');
      expect(html).not.toContain('data-seconds');
    },
  );

  it.each(['completed', 'overpaid', 'underpaid', 'expired', 'failed'])(
    'reads that nothing more happens to what is %s',
    (state) => {
      expect(renderCheckoutPage(EVERY_PAGE[state]!, 'en')).toContain('data-ended="true"');
    },
  );

  it.each(['pending', 'created', 'partly paid', 'confirming', 'closed'])(
    'goes on asking while it is %s',
    (state) => {
      expect(renderCheckoutPage(EVERY_PAGE[state]!, 'en')).not.toContain('data-ended');
    },
  );
});
