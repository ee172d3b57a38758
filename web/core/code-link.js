// Where an address holds a program: in its fragment, after the id of the figure that it is for. In the entry, so it is small. Pure.
//
//   #snippet-name~py1.<of which source>.<zlib, base64url>     see packed-code.js

/** @typedef {{id: string, version: number, content: string}} CodeInLink still packed */

const MARK = /~py(\d{1,4})\.(.*)$/s;

/** Null where there is none. @param {string} hash as `location.hash` has it @returns {CodeInLink | null} */
export const codeIn = (hash) => {
  const found = MARK.exec(hash);
  return found && { id: hash.slice(1, found.index), version: Number(found[1]), content: found[2] };
};

/** A fragment without the code in it. @param {string} hash */
export const withoutCode = (hash) => hash.replace(MARK, "");
