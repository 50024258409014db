import { AnyText } from '../../../../../shared/platform/http/validation/field-rules.js';

const LONGEST_FIELD = 400;
/** A hundred ranges. */
const LONGEST_LIST = 10_000;

const typed = (maxLength = LONGEST_FIELD) => AnyText({ maxLength }, { optional: true });

/** Name and roles; a role is `on` or nothing. */
class KeyForm {
  @typed() name?: string;
  @typed() read?: string;
  @typed() write?: string;
}

export class CreateKeyForm extends KeyForm {
  /** Empty: the whole organization. */
  @typed() account_id?: string;
  @typed(LONGEST_LIST) allowed_ips?: string;
  @typed(20_000) code?: string;
}

export class ChangeKeyForm extends KeyForm {}

export class AllowedIpsForm {
  @typed(LONGEST_LIST) allowed_ips?: string;
  /** That the list is meant though it does not hold the person's own address: `on` or nothing. */
  @typed() without_own?: string;
}

export class DeleteKeyForm {
  /** The key's name, typed again. */
  @typed() confirmation?: string;
}

export class KeyQuery {
  @typed() done?: string;
}

export function rolesOf({ read, write }: KeyForm): string[] {
  return [...(read === 'on' ? ['read'] : []), ...(write === 'on' ? ['write'] : [])];
}

/** One on each line, or divided by commas. */
export function addressesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '');
}
