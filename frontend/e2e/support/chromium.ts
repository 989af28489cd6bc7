// How the browser tests start Chromium.
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  // WebGL needs SwiftShader. Without a graphics card, pages composed and painted by it as well take more than
  // twice the processor time.
  args: [
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-compositing",
    "--disable-gpu-rasterization",
    "--no-sandbox",
  ],
};
