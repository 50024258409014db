import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { describeBrowser } from './shown-browser.js';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('A browser by its User-Agent', () => {
  it.each([
    ['Firefox 128 on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    [
      'Safari 17 on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    ],
    [
      'Safari 17 on Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    ],
    [
      'Samsung Internet 25 on Android',
      `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${WEBKIT} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    ],
    ['Unknown browser on Windows', 'Something/1.0 (Windows)'],
    ['Unknown browser', 'curl/8.5.0'],
    ['Unknown browser', '<script>alert(1)</script>'],
  ])('is shown as %s', (name, userAgent) => {
    const shown = describeBrowser(userAgent);

    expect(typeof shown === 'string' ? shown : renderToString(shown)).toBe(name);
  });
});
