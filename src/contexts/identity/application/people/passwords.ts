import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { dictionary } from '@zxcvbn-ts/language-common';

/** The second recommendation of the OWASP password storage cheat sheet: 19 MiB, two passes, one lane. Argon2id is 2. */
const PARAMETERS: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'] as readonly string[]);

/** Passwords are stored as Argon2id hashes in PHC string format. */
@Injectable()
export class Passwords {
  private nobodys: Promise<string> | undefined;

  /** Takes some 20 ms of a core: call it outside a unit of work. */
  hash(password: string): Promise<string> {
    return hash(password, PARAMETERS);
  }

  /** @param expected null where there is no such person: takes as long, and never matches */
  async verify(password: string, expected: string | null): Promise<boolean> {
    this.nobodys ??= this.hash('no user has this password');
    const matches = await verify(expected ?? (await this.nobodys), password);
    return matches && expected !== null;
  }

  /** @param small in small letters */
  isCommon(small: string): boolean {
    return COMMON.has(small);
  }
}
