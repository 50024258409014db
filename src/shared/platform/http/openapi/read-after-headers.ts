export const READ_AFTER = 'X-Read-After';

const SCHEMA = { type: 'string', maxLength: 30, pattern: '^[1-9][0-9]{0,9}-[1-9][0-9]{0,18}$' };
const EXAMPLE = '1-48213';

/** A header of the answer of whatever writes. */
export const READ_AFTER_HEADER = {
  description:
    'Where the service reads from a replica: the position of what this request has written. Send it back with reads, so ' +
    'that they are not older.',
  schema: SCHEMA,
  example: EXAMPLE,
};

export const READ_AFTER_PARAMETER = {
  name: READ_AFTER,
  in: 'header',
  required: false,
  description:
    '`X-Read-After` of the caller’s latest write. A list or a file is then not older than that write, whichever server of ' +
    'the database answers.',
  schema: SCHEMA,
  example: EXAMPLE,
};
