import type { PlantedBug } from './planted-bug.js';

const APPLICATION = 'contexts/identity/application';
const INFRASTRUCTURE = 'contexts/identity/infrastructure';

/** Who may do what: credentials, tokens, devices and accounts. */
export const bugsInIdentity: readonly PlantedBug[] = [
  {
    name: 'a key that may only read deletes and switches',
    file: `${INFRASTRUCTURE}/credentials/http/access.guard.ts`,
    from: "return method === 'GET' || method === 'HEAD' ? 'read' : 'write';",
    to: "return method === 'POST' || method === 'PUT' ? 'write' : 'read';",
    shows: 'always',
    breaks: 'A credential without the role write is allowed to delete and to change.',
  },
  {
    name: 'a device does what only keys may do',
    file: `${INFRASTRUCTURE}/credentials/http/access.guard.ts`,
    from: "if (use === undefined || (use !== 'common' && !isOwn)) throw",
    to: 'if (use === undefined && !isOwn) throw',
    shows: 'always',
    breaks: 'A paired device changes its point of sale, and reads requests of another one.',
  },
  {
    name: 'tokens of a disabled credential go on',
    file: `${APPLICATION}/credentials/prove-access.ts`,
    from: '    if (!credential.enabled) throw refusals.credentialDisabled();\n',
    to: '',
    shows: 'always',
    breaks: 'A disabled credential is answered until its token expires.',
  },
  {
    name: 'tokens expire by the clock of the replica',
    file: `${APPLICATION}/credentials/prove-access.ts`,
    from: 'if (now >= token.expiresAt)',
    to: 'if (new Date() >= token.expiresAt)',
    shows: 'clock',
    breaks: 'A token is refused before its expiry, or taken after it.',
  },
  {
    name: 'an allowlist cannot be emptied',
    file: `${APPLICATION}/credentials/change-credential.ts`,
    from: '...(allowedAddresses === undefined ? {}',
    to: '...(allowedAddresses === undefined || allowedAddresses.length === 0 ? {}',
    shows: 'always',
    breaks: 'A credential whose allowlist was taken away refuses callers by it.',
  },
  {
    name: 'devices outlive their account',
    file: `${INFRASTRUCTURE}/credentials/persistence/postgres-credentials.ts`,
    from: 'WHERE organization_id = $1 AND account_id = $2 ORDER BY id FOR UPDATE`',
    to: 'WHERE organization_id = $1 AND account_id = $2 AND point_of_sale_id IS NULL ORDER BY id FOR UPDATE`',
    shows: 'always',
    breaks: 'A paired device of a deleted account still gets access tokens.',
  },
  {
    name: 'an account is deleted beside what is being created in it',
    file: `${APPLICATION}/accounts/delete-account.ts`,
    from: 'await this.accounts.lockAlone(owner);',
    to: 'await this.accounts.lock(owner);',
    shows: 'race',
    breaks: 'A deleted account has an open payment request, a link or a webhook.',
  },
  {
    name: 'a pairing code works after its end',
    file: `${INFRASTRUCTURE}/devices/persistence/postgres-pairings.ts`,
    from: '`p.code_digest = $1 AND p.expires_at > platform.now() AND a.id',
    to: '`p.code_digest = $1 AND a.id',
    shows: 'always',
    breaks: 'A device is paired by a code that has expired.',
  },
  {
    name: 'a pairing code pairs any number of devices',
    file: `${APPLICATION}/devices/pair-device.ts`,
    from: 'const taken = await this.pairings.take(digest);',
    to: 'const taken = await this.pairings.find(digest);',
    shows: 'always',
    breaks: 'A second device is paired by a code that was used.',
  },
];
