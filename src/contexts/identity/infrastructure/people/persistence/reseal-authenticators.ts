import { Injectable } from '@nestjs/common';
import { Database } from '../../../../../shared/platform/database/database.js';
import { resealAll, type Resealed } from '../../../../../shared/platform/secrets/reseal.js';
import { SecretBox } from '../../../../../shared/platform/secrets/secret-box.js';
import { PeopleSettings } from '../people-settings.js';

/** Secrets of authenticator apps, confirmed or not. */
@Injectable()
export class ResealAuthenticators {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    { secretKeys }: PeopleSettings,
  ) {
    this.box = new SecretBox('Secrets of authenticator apps', secretKeys);
  }

  execute(): Promise<Resealed> {
    const columns = { table: 'identity.authenticators', keyId: 'key_id', bytes: 'sealed_secret' };
    return resealAll(this.database, this.box, columns);
  }
}
