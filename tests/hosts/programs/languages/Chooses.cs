using System;
using System.Text.RegularExpressions;

static class Chooses {
    static readonly Random Luck = new Random();  // asks a library of mono's own for its seed

    static void Main() {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
            if (line.Contains("\"type\":\"hello\"")) {
                Console.WriteLine("{\"type\":\"ready\"}");
            } else if (line.Contains("\"type\":\"act\"")) {
                var legal = Regex.Match(line, "\"legal\":\\[([^\\]]*)\\]").Groups[1].Value.Split(',');
                var ply = Regex.Match(line, "\"ply\":(\\d+)").Groups[1].Value;
                Console.WriteLine("{\"type\":\"act\",\"ply\":" + ply + ",\"action\":" + legal[Luck.Next(legal.Length)] + "}");
            }
        }
    }
}
