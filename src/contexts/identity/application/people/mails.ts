import type { Mail } from '../../domain/people/mail-texts.js';

export abstract class Mails {
  /** Commits with the change it tells of, and is sent soon after. Refuses to run outside a unit of work. */
  abstract queue(mail: Mail): Promise<void>;
}
