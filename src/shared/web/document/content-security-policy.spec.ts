import { describe, expect, it } from '@jest/globals';
import type { PageBranding } from './inline-asset.js';
import { contentSecurityPolicy } from './content-security-policy.js';

const style = { text: 'p{}', hash: "'sha256-style'" };
const script = { text: 'go()', hash: "'sha256-script'" };

describe('The content security policy of a page', () => {
  it('names the hash of the merchant’s look, and lets an image of its own origin in only for a logo', () => {
    const look = { text: ':root{}', hash: "'sha256-look'" };
    const logo = { path: '/logo/0ab', width: 12, height: 8 };
    const policyOf = (branding: PageBranding) => contentSecurityPolicy({ style, script, branding }, []);

    expect(policyOf({ style: look, logo })).toContain("style-src 'sha256-style' 'sha256-look';");
    expect(policyOf({ style: look, logo })).toContain("img-src data: 'self';");
    expect(policyOf({ style: look, logo: undefined })).toContain('img-src data:;');
  });

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

  it('lets an installable page have a manifest and a worker of its own origin', () => {
    const policy = (isInstallable: boolean) => contentSecurityPolicy({ style, script, isInstallable }, []);

    expect(policy(true)).toContain(
      "img-src data: 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self';",
    );
    expect(policy(false)).not.toMatch(/manifest-src|worker-src/);
  });

  it('lets only the sites that are named show the page in a frame', () => {
    const sites = ['https://a.example', 'https://b.example'];

    expect(contentSecurityPolicy({ style, script }, sites)).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/b\.example$/,
    );
    expect(contentSecurityPolicy({ style, script }, [])).toMatch(/frame-ancestors 'none'$/);
  });
});
