/** An amount as people type it: a decimal comma is a point. Whatever else is no plain decimal stays as it is, to be refused. */
export function typedDecimal(text: string): string {
  const typed = text.trim();
  const comma = /^([0-9]+),([0-9]+)$/.exec(typed);
  const plain = comma === null ? typed : `${comma[1]}.${comma[2]}`;
  return /^[0-9]+\.?[0-9]*$/.test(plain) ? plain.replace(/^0+(?=[0-9])/, '').replace(/\.$/, '') : typed;
}
