import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { reencryptSecrets, type ReencryptionCounts } from '#shared/platform/secrets/reencrypt-secrets.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { SignInAndMailSettings } from '../../identity-settings.js';

@Injectable()
export class AuthenticatorSecretBox extends SecretBox {
  constructor({ secretKeys }: SignInAndMailSettings) {
    super('Secrets of authenticator apps', secretKeys);
  }
}

@Injectable()
export class ResealAuthenticators {
  constructor(
    private readonly database: Database,
    private readonly box: AuthenticatorSecretBox,
  ) {}

  reseal(): Promise<ReencryptionCounts> {
    const columns = { table: 'identity.authenticators', keyId: 'key_id', bytes: 'sealed_secret' };
    return reencryptSecrets(this.database, this.box, columns);
  }
}
