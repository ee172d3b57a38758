// Sizes in words.

/** `2.1 MB`, as file managers count. @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** `1.2 of 2.1 MB` @param {number} done @param {number} total */
export const portion = (done, total) => `${(done / 1e6).toFixed(1)} of ${megabytes(total)}`;
