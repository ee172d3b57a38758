// Where a note stands beside its word.

/** Between note and word, and between note and edge. */
const GAP = 6;
const EDGE = 8;

/**
 * Under the word if there is room, else above it; never over an edge. All in pixels of the window.
 * @param {{left: number, top: number, bottom: number}} word @param {{width: number, height: number}} note
 * @param {{width: number, height: number}} view
 */
export const placeNote = (word, note, view) => {
  const under = word.bottom + GAP;
  const above = word.top - GAP - note.height;
  const fitsUnder = under + note.height <= view.height - EDGE;
  return {
    left: Math.max(EDGE, Math.min(word.left, view.width - note.width - EDGE)),
    top: fitsUnder || above < EDGE ? under : above,
  };
};
