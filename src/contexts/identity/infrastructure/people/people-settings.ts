import type { KeyOfRing } from '#shared/platform/settings/setting-reader.js';

export class PeopleSettings {
  /** 256 bits each. The first encrypts secrets of authenticator apps; all of them decrypt. */
  readonly secretKeys: readonly KeyOfRing[];
  /** Of the server that takes mails; absent in development: then they are printed in the worker's log. */
  readonly smtpUrl: string | undefined;
  /** Sender of mails. */
  readonly mailFrom: string;

  constructor(settings: Pick<PeopleSettings, 'secretKeys' | 'smtpUrl' | 'mailFrom'>) {
    this.secretKeys = settings.secretKeys;
    this.smtpUrl = settings.smtpUrl;
    this.mailFrom = settings.mailFrom;
  }
}
