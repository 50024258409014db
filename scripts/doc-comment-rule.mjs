// A doc comment is a sentence whose subject comes first, so that a reader can skim: "Only the repository calls this.", not
// "Of the repository alone.". This rule of ESLint refuses the first words by which a comment has no subject of its own.

/** Prepositions, relative words and pronouns: what follows them is a fragment, or a subject that stands elsewhere. */
export const REFUSED_FIRST_WORDS = ['As', 'By', 'From', 'Its', 'Of', 'Those', 'What', 'Whether', 'Whose'];

const FIRST_WORD = /^\*[\s*]*([A-Za-z]+)/;

export const docCommentRule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      first: 'A doc comment is a sentence with its subject first; it does not begin with "{{word}}".',
    },
  },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== 'Block') continue;
          const word = FIRST_WORD.exec(comment.value)?.[1];
          if (REFUSED_FIRST_WORDS.includes(word)) {
            context.report({ loc: comment.loc, messageId: 'first', data: { word } });
          }
        }
      },
    };
  },
};
