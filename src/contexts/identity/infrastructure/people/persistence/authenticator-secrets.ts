import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type ResealCounts } from '#shared/platform/secrets/reseal.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { PeopleSettings } from '../../identity-settings.js';

/** Encrypts with the key ring of DASHBOARD_SECRET_KEYS. */
@Injectable()
export class AuthenticatorSecretBox extends SecretBox {
  /** @throws Error if the key ring is empty, an id is repeated, or a key is not 32 bytes long */
  constructor({ secretKeys }: PeopleSettings) {
    super('Secrets of authenticator apps', secretKeys);
  }
}

@Injectable()
export class ResealAuthenticators {
  constructor(
    private readonly database: Database,
    private readonly box: AuthenticatorSecretBox,
  ) {}

  reseal(): Promise<ResealCounts> {
    const columns = { table: 'identity.authenticators', keyId: 'key_id', bytes: 'sealed_secret' };
    return resealAll(this.database, this.box, columns);
  }
}
