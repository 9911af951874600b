/** Runs in a browser: the texts whose contrast with their background is below this ratio (WCAG 2). */
export function lowContrast(least: number): string[] {
  const channelsOf = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element: Element | null): string => {
    if (element === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return channelsOf(backgroundColor)[3] === 0 ? groundOf(element.parentElement) : backgroundColor;
  };
  const ratioOf = (element: Element) => {
    const [text, ground] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))];
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
  };
  const holdsText = ({ childNodes }: Element) =>
    [...childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  return [...document.body.querySelectorAll('*')]
    .filter((element) => !/^(SCRIPT|STYLE|OPTION)$/.test(element.tagName) && holdsText(element))
    .filter((element) => ratioOf(element) < least)
    .map((element) => `${element.tagName} ${element.className}: ${ratioOf(element).toFixed(2)}`);
}
