import { describe, expect, it } from '@jest/globals';
import { contentSecurityPolicy } from './content-security-policy.js';

const style = { text: 'p{}', hash: "'sha256-style'" };
const script = { text: 'go()', hash: "'sha256-script'" };

describe('The content security policy of a page', () => {
  it('names the hashes of what the page inlines', () => {
    const policy = contentSecurityPolicy({ style, script }, []);

    expect(policy).toContain("style-src 'sha256-style'; script-src 'sha256-script';");
  });

  it('lets no script run on a page that has none', () => {
    expect(contentSecurityPolicy({ style, script: undefined }, [])).toContain("script-src 'none';");
  });

  it('names the hashes of the scripts that the page may load, and nothing wider', () => {
    const policy = contentSecurityPolicy({ style, script }, [], ["'sha256-wallet'"]);

    expect(policy).toContain("script-src 'sha256-script' 'sha256-wallet';");
  });

  it('lets only the sites that are named show the page in a frame', () => {
    const sites = ['https://a.example', 'https://b.example'];

    expect(contentSecurityPolicy({ style, script }, sites)).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/b\.example$/,
    );
    expect(contentSecurityPolicy({ style, script }, [])).toMatch(/frame-ancestors 'none'$/);
  });
});
