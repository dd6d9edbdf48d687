/**
 * Gives a page of TypeDoc what who does not see it goes by: a landmark around its content and its menus, and no link within a heading that opens and
 * closes its section, because only one of both can be pressed.
 */
export const withLandmarks = (html: string): string =>
  html
    .replace("<div class=\"col-content\">", "<div class=\"col-content\" role=\"main\">")
    .replace(
      "<div class=\"page-menu\">",
      "<div class=\"page-menu\" role=\"complementary\" aria-label=\"On this page\">"
    )
    .replaceAll(
      /<summary[\s\S]*?<\/summary>/g,
      (summary) => summary.replaceAll(/<a href="#[^"]*" aria-label="Permalink"[\s\S]*?<\/a>/g, "")
    )
