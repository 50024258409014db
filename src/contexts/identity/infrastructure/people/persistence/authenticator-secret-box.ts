import { Injectable } from '@nestjs/common';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import { PeopleSettings } from '../people-settings.js';

/** Under the key ring of DASHBOARD_SECRET_KEYS. */
@Injectable()
export class AuthenticatorSecretBox extends SecretBox {
  /** @throws Error for an empty key ring, an id that repeats, or a key of another length than 32 bytes */
  constructor({ secretKeys }: PeopleSettings) {
    super('Secrets of authenticator apps', secretKeys);
  }
}
