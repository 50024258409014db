/** What a reader sees, without markup and the marks that keep names apart. */
export function visible(html: string): string {
  return html
    .replace(/<(style|script|head)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\u00a0/g, ' ');
}
