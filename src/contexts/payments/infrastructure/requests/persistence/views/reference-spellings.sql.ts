/**
 * The beginning of a reference in the spellings that shops use: as typed, lower case, upper case and initial capitals.
 * Each is a range of the index that also finds references by equality. An index on `lower(reference_id)` would find
 * mixed case too, but every new payment request would have to be written to it.
 */
export const spellingsOf = (typed: string) =>
  `(SELECT DISTINCT unnest(ARRAY[${typed}::text, lower(${typed}), upper(${typed}), initcap(${typed})]) AS beginning) spelling`;

/** No reference contains the highest character. */
export const BEGINS_WITH_SPELLING = `reference_id ~>=~ spelling.beginning AND reference_id ~<~ (spelling.beginning || chr(1114111))`;
