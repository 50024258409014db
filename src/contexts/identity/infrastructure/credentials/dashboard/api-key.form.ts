import { LONGEST_FIELD, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** A hundred ranges are shorter than this. */
const MAX_LIST_LENGTH = 10_000;

/** Name and roles; a role is `on` or nothing. */
class KeyForm {
  @Typed(LONGEST_FIELD) name?: string;
  @Typed(LONGEST_FIELD) read?: string;
  @Typed(LONGEST_FIELD) write?: string;
}

export class CreateKeyForm extends KeyForm {
  /** Empty: the whole organization. */
  @Typed(LONGEST_FIELD) account_id?: string;
  @Typed(MAX_LIST_LENGTH) allowed_ips?: string;
  @Typed(20_000) code?: string;
}

export class ChangeKeyForm extends KeyForm {}

export class AllowedIpsForm {
  @Typed(MAX_LIST_LENGTH) allowed_ips?: string;
  /** Confirms a list without the person's own address: `on` or nothing. */
  @Typed(LONGEST_FIELD) without_own?: string;
}

export class DeleteKeyForm {
  /** The key's name, typed again. */
  @Typed(LONGEST_FIELD) confirmation?: string;
}

export class KeyQuery {
  @Typed(LONGEST_FIELD) done?: string;
}

export function rolesOf({ read, write }: KeyForm): string[] {
  return [...(read === 'on' ? ['read'] : []), ...(write === 'on' ? ['write'] : [])];
}

/** Addresses stand one on each line, or are divided by commas. */
export function addressesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}
