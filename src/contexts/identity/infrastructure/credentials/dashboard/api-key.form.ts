import { MAX_FIELD_LENGTH, Typed } from '#shared/platform/http/dashboard/typed-field.js';

/** A hundred ranges are shorter than this. */
const MAX_LIST_LENGTH = 10_000;

/** Name and roles; a role is `on` or nothing. */
class KeyForm {
  @Typed(MAX_FIELD_LENGTH) name?: string;
  @Typed(MAX_FIELD_LENGTH) read?: string;
  @Typed(MAX_FIELD_LENGTH) write?: string;
}

export class CreateKeyForm extends KeyForm {
  /** Empty: the whole organization. */
  @Typed(MAX_FIELD_LENGTH) account_id?: string;
  @Typed(MAX_LIST_LENGTH) allowed_ips?: string;
  @Typed(20_000) code?: string;
}

export class ChangeKeyForm extends KeyForm {}

export class AllowedIpsForm {
  @Typed(MAX_LIST_LENGTH) allowed_ips?: string;
  /** Confirms a list without the person's own address: `on` or nothing. */
  @Typed(MAX_FIELD_LENGTH) without_own?: string;
}

export class DeleteKeyForm {
  /** The key's name, typed again. */
  @Typed(MAX_FIELD_LENGTH) confirmation?: string;
}

export class KeyQuery {
  @Typed(MAX_FIELD_LENGTH) done?: string;
}

export function rolesOf({ read, write }: KeyForm): string[] {
  return [...(read === 'on' ? ['read'] : []), ...(write === 'on' ? ['write'] : [])];
}

/** Addresses stand one on each line, or are divided by commas. */
export function addressesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}
