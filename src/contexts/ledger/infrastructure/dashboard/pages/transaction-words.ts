/** A word of the API as people read it: `Payment in` of `payment_in`. */
export function shownWord(word: string): string {
  return (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ');
}
