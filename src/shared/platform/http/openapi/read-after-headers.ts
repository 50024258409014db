export const READ_AFTER = 'X-Read-After';

const SCHEMA = { type: 'string', maxLength: 30, pattern: '^[1-9][0-9]{0,9}-[1-9][0-9]{0,18}$' };
const EXAMPLE = '1-48213';

/** A header of the answer of whatever writes. */
export const READ_AFTER_HEADER = {
  description:
    'Position of this write in the database log. Send it with later reads so that they include this write. ' +
    'Absent if the service does not read from a replica.',
  schema: SCHEMA,
  example: EXAMPLE,
};

export const READ_AFTER_PARAMETER = {
  name: READ_AFTER,
  in: 'header',
  required: false,
  description:
    '`X-Read-After` value from the response to your latest write. Lists and CSV files then include that write, ' +
    'even if a database replica serves the request.',
  schema: SCHEMA,
  example: EXAMPLE,
};
