// The reader's choice of vendor, kept between pages. Storage may be blocked: then it lasts as long as the page.

const KEY = "gpubites.lens";

export const rememberedVendor = () => {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

/** @param {string} vendor */
export const rememberVendor = (vendor) => {
  try {
    localStorage.setItem(KEY, vendor);
  } catch {}
};
