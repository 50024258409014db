import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { resealAll, type Resealed } from '#shared/platform/secrets/reseal.js';
import { AuthenticatorSecretBox } from './authenticator-secret-box.js';

/** Secrets of authenticator apps, confirmed or not. */
@Injectable()
export class ResealAuthenticators {
  constructor(
    private readonly database: Database,
    private readonly box: AuthenticatorSecretBox,
  ) {}

  execute(): Promise<Resealed> {
    const columns = { table: 'identity.authenticators', keyId: 'key_id', bytes: 'sealed_secret' };
    return resealAll(this.database, this.box, columns);
  }
}
