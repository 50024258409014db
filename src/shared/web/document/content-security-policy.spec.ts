import { describe, expect, it } from '@jest/globals';
import type { PageBranding } from './inline-asset.js';
import { contentSecurityPolicy } from './content-security-policy.js';

const style = { text: 'p{}', hash: "'sha256-style'" };
const script = { text: 'go()', hash: "'sha256-script'" };

describe('The content security policy of a page', () => {
  it('contains the hash of the branding style, and allows images from its own origin only if there is a logo', () => {
    const look = { text: ':root{}', hash: "'sha256-look'" };
    const logo = { path: '/logo/0ab', width: 12, height: 8 };
    const policyOf = (branding: PageBranding) => contentSecurityPolicy({ style, script, branding }, []);

    expect(policyOf({ style: look, logo })).toContain("style-src 'sha256-style' 'sha256-look';");
    expect(policyOf({ style: look, logo })).toContain("img-src data: 'self';");
    expect(policyOf({ style: look, logo: undefined })).toContain('img-src data:;');
  });

  it.each([
    [script, [], "script-src 'sha256-script';"],
    [script, ["'sha256-wallet'"], "script-src 'sha256-script' 'sha256-wallet';"],
    [undefined, [], "script-src 'none';"],
  ])('contains only the hashes of the styles and scripts of the page: %#', (own, loaded, directive) => {
    const policy = contentSecurityPolicy({ style, script: own }, [], loaded);

    expect(policy).toContain(`style-src 'sha256-style'; ${directive}`);
  });

  it('allows a manifest and a worker for an installable page', () => {
    const policy = (isInstallable: boolean) => contentSecurityPolicy({ style, script, isInstallable }, []);

    expect(policy(true)).toContain(
      "img-src data: 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self';",
    );
    expect(policy(false)).not.toMatch(/manifest-src|worker-src/);
  });

  it('allows frames only on the given sites', () => {
    const sites = ['https://a.example', 'https://b.example'];

    expect(contentSecurityPolicy({ style, script }, sites)).toMatch(
      /frame-ancestors https:\/\/a\.example https:\/\/b\.example$/,
    );
    expect(contentSecurityPolicy({ style, script }, [])).toMatch(/frame-ancestors 'none'$/);
  });
});
